import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as three } from 'zod-3';
import { ask, openSession, type Answer, type OutputPart, type Session, type Turn } from '@hexagent/sdk';

interface City {
  name: string;
  people: number;
}

const city = z.object({ name: z.string(), people: z.number() });

// Only compiled: nothing here is called.
const asked = () => ask('go', { output: city });
const opened = () => openSession({ model: 'opus', output: city });

describe('The type of an output', () => {
  it('is that of the schema, in each library', () => {
    expectTypeOf<ReturnType<ReturnType<typeof asked>['output']>>().resolves.toEqualTypeOf<City>();
    const ofMini = () => ask('go', { output: mini.object({ name: mini.string(), people: mini.number() }) }).output();
    expectTypeOf(ofMini).returns.resolves.toEqualTypeOf<City>();
    const ofThree = () =>
      ask('go', { output: three.object({ name: three.string(), people: three.number() }) }).output();
    expectTypeOf(ofThree).returns.resolves.toEqualTypeOf<City>();
    const valibot = toStandardJsonSchema(v.object({ name: v.string(), people: v.number() }));
    const ofValibot = () => ask('go', { output: valibot }).output();
    expectTypeOf(ofValibot).returns.resolves.toEqualTypeOf<City>();
    const ofArktype = () => ask('go', { output: type({ name: 'string', people: 'number' }) }).output();
    expectTypeOf(ofArktype).returns.resolves.toEqualTypeOf<City>();
  });

  it('is what transforms make', () => {
    const ofDate = () => ask('go', { output: z.object({ at: z.string().transform((at) => new Date(at)) }) }).output();
    expectTypeOf(ofDate).returns.resolves.toEqualTypeOf<{ at: Date }>();
  });

  it('is unknown for a JSON Schema', () => {
    const ofPlain = () => ask('go', { output: { type: 'object', properties: {} } }).output();
    expectTypeOf(ofPlain).returns.resolves.toBeUnknown();
  });

  it('is in the outcome of a completed turn, and in no other', () => {
    const read = async () => {
      const outcome = await (await opened()).send('go').result;
      if (outcome.kind === 'completed') return outcome.output;
      // @ts-expect-error -- a turn that failed has none
      return outcome.output;
    };
    expectTypeOf(read).returns.resolves.toEqualTypeOf<City>();
  });

  it('is of each turn of a session, also of those that it did not send', () => {
    const read = async () => {
      for await (const turn of (await opened()).turns) return await turn.output();
      throw new Error('no turn');
    };
    expectTypeOf(read).returns.resolves.toEqualTypeOf<City>();
  });

  it('has parts that may lack anything, and texts that are cut off', () => {
    const schema = z.object({
      kind: z.enum(['a', 'b']),
      tags: z.array(z.object({ n: z.number() })),
      at: z.coerce.date(),
    });
    expectTypeOf<OutputPart<typeof schema>>().toEqualTypeOf<{
      readonly kind?: string;
      readonly tags?: readonly { readonly n?: number }[];
      readonly at?: unknown;
    }>();
  });
});

describe('Without a schema', () => {
  it('a turn has no output, and a session with one is a session', () => {
    // @ts-expect-error -- no schema was given
    void (() => ask('go').output());
    expectTypeOf(ask).toBeCallableWith('go', {});
    expectTypeOf<ReturnType<typeof asked>>().toExtend<Answer>();
    expectTypeOf<Awaited<ReturnType<typeof opened>>>().toExtend<Session>();
    expectTypeOf<ReturnType<Awaited<ReturnType<typeof opened>>['send']>>().toExtend<Turn>();
    // @ts-expect-error -- an option that does not exist, beside a schema too
    void (() => ask('go', { output: city, modell: 'opus' }));
  });
});

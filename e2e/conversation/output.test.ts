import { ask, openSession, TurnError, type OutputSchema, type SessionOptions } from '@hexagent/sdk';
import {
  apiError,
  gate,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as three } from 'zod/v3';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const give = (value: object): TurnLike => toolUse('StructuredOutput', { ...value });
const city = z.object({ name: z.string(), people: z.number().int().positive() });
const rome = { name: 'Rome', people: 2_800_000 };

/** The schema that the model reads. */
function shownTo(request: ModelRequest | undefined): unknown {
  const tools: unknown = request?.body.tools;
  const found = Array.isArray(tools) ? tools.find((tool) => tool.name === 'StructuredOutput') : undefined;
  return found?.input_schema;
}

withCli('#18 The output of a turn', () => {
  it('is there with its type, and as one line', async () => {
    await using place = await stage([give(rome)]);
    const answer = ask('Which city?', { ...place.options, output: city });
    expect(await answer.result).toMatchObject({ kind: 'completed', output: rome });
    expect((await answer.output()).people + 1).toBe(2_800_001);
  });

  it('is asked for in each turn of a session', async () => {
    const milan = { name: 'Milan', people: 1_400_000 };
    await using place = await stage([give(rome), text(['Milan.']), give(milan)]);
    await using session = await openSession({ ...place.options, output: city });
    expect(await session.send('Which city?').output()).toEqual(rome);
    expect(await session.send('Which else?').output()).toEqual(milan);
  });

  it('may be a number that the model wrote as a text: the agent reads it by the schema', async () => {
    await using place = await stage([give({ ...rome, people: '2800000' })]);
    expect(await ask('go', { ...place.options, output: city }).output()).toEqual(rome);
  });

  it('is what the library makes of the value, defaults and transforms included', async () => {
    const schema = z.object({ at: z.coerce.date(), tags: z.array(z.string()).default([]) });
    await using place = await stage([give({ at: '2026-11-20T00:00:00Z' })]);
    const { at, tags } = await ask('When?', { ...place.options, output: schema }).output();
    expect([at.getUTCFullYear(), tags]).toEqual([2026, []]);
  });

  it('may be any value: a list, a text, a choice of objects', async () => {
    const cases: readonly (readonly [z.ZodType, unknown])[] = [
      [z.array(city), [rome]],
      [z.enum(['yes', 'no']), 'yes'],
      [z.union([city, z.object({ country: z.string() })]), { country: 'Italy' }],
      [z.object({ 'people in total': z.number() }), { 'people in total': 5 }],
    ];
    for (const [output, value] of cases) {
      await using place = await stage([give({ value })]);
      expect(await ask('go', { ...place.options, output }).output()).toEqual(value);
      expect(shownTo(place.loopback.requests[0])).toMatchObject({ type: 'object', required: ['value'] });
    }
  });

  it('arrives in parts, without an option', async () => {
    const held = gate();
    const json = ['{"name":"Ro', held, 'me","people":', '2800000}'];
    await using place = await stage([{ ...toolUse('StructuredOutput', rome), json }]);
    const answer = ask('go', { ...place.options, output: city });
    const parts: unknown[] = [];
    for await (const part of answer.outputStream()) {
      parts.push(part);
      if (part.name === 'Ro') held.open();
    }
    expect(parts).toEqual([{}, { name: 'Ro' }, { name: 'Rome' }, rome]);
    expect(await answer.output()).toEqual(rome);
  });

  it('is given where rules decide about tools, no built-in tool exists, and the program has hooks', async () => {
    await using place = await stage([give(rome)]);
    const seen: string[] = [];
    const options: SessionOptions = {
      ...place.options,
      tools: ['none'],
      permissions: { deny: ['Bash'] },
      onAsk: () => null,
      hooks: { PreToolUse: [{ hooks: [({ tool_name: tool }) => void seen.push(tool)] }] },
    };
    expect(await ask('go', { ...options, output: city }).output()).toEqual(rome);
    expect(seen).toEqual(['StructuredOutput']);
  });

  it('is corrected by the model within the turn, also for what JSON Schema cannot express', async () => {
    const schema = city.refine(({ name }) => name !== 'Rome', 'not Rome again');
    await using place = await stage([give({ name: 5 }), give(rome), give({ name: 'Milan', people: 3 })]);
    expect(await ask('go', { ...place.options, output: schema }).output()).toEqual({ name: 'Milan', people: 3 });
    const [, second, third] = place.loopback.requests;
    expect(JSON.stringify(toolResults(second!))).toContain('name: Invalid input: expected string, received number');
    expect(JSON.stringify(toolResults(third!))).toContain('not Rome again');
  });
});

withCli('#18 The output of a single turn', () => {
  it('is asked for in the message, and read from the text, while it arrives too', async () => {
    const held = gate();
    await using place = await stage(['Hello.', text(['{"name":"Ro', held, 'me","people":2800000}'])]);
    await using session = await openSession(place.options);
    expect(await session.send('Hi').text()).toBe('Hello.');
    const turn = session.send('Which city?', { output: city });
    const parts: unknown[] = [];
    for await (const part of turn.outputStream()) {
      parts.push(part);
      held.open();
    }
    expect(parts).toEqual([{ name: 'Ro' }, rome]);
    expect(await turn.output()).toEqual(rome);
    const asked = JSON.stringify(place.loopback.requests[1]?.body.messages);
    expect(asked).toContain('Which city?');
    expect(asked).toContain('Answer with one JSON value and nothing else');
    expect(shownTo(place.loopback.requests[1])).toBeUndefined();
  });

  it('cannot be asked of the agent once it runs: a later schema does not reach the model', async () => {
    await using place = await stage(['One.', 'Two.']);
    await using session = await openSession(place.options);
    await session.send('one').result;
    const jsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    await session.request('initialize', { jsonSchema });
    await session.request('apply_flag_settings', { settings: { jsonSchema } });
    expect(await session.send({ content: 'two', fields: { jsonSchema } }).text()).toBe('Two.');
    expect(place.loopback.requests.map(shownTo)).toEqual([undefined, undefined]);
  });
});

const tuple = z.tuple([z.string(), z.number()]);
interface Node {
  readonly v: string;
  readonly c: readonly Node[];
}
const node: z.ZodType<Node> = z.object({ v: z.string(), c: z.array(z.lazy(() => node)) });
const day = z.object({
  on: z.iso.datetime(),
  mail: z.email(),
  pair: tuple,
  dash: z.string().regex(/^[\w-.]+$/),
  keys: z.record(z.string().regex(/^k/), z.number()),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b'), n: z.int() })]),
  tree: node,
  none: z.string().nullable(),
});
const aDay = {
  on: '2026-11-20T00:00:00Z',
  mail: 'a@b.example',
  pair: ['x', 1],
  dash: 'a-b',
  keys: { k1: 1 },
  kind: { is: 'b', n: 2 },
  tree: { v: 'a', c: [{ v: 'b', c: [] }] },
  none: null,
};

withCli('#18 A schema that the agent would ignore or exit over', () => {
  it.each<readonly [string, OutputSchema, object]>([
    ['of zod', day, aDay],
    [
      'of zod 3',
      three.object({ pair: three.tuple([three.string()]), mail: three.string().email() }),
      { pair: ['x'], mail: 'a@b.example' },
    ],
    ['of zod/mini, which has to be loaded', mini.object({ pair: mini.tuple([mini.string()]) }), { pair: ['x'] }],
    [
      'in the dialect 2020-12',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
          some: { type: 'array', contains: { type: 'string' }, minContains: 0 },
          kind: { enum: ['a', 'a'], deprecated: true, examples: ['a'] },
        },
        required: ['pair', 'pair'],
        dependentRequired: { pair: ['kind'] },
        $comment: 'Not for the model.',
        'x-own': 1,
      },
      { pair: ['x'], some: [], kind: 'a' },
    ],
  ])('is made fit for it: %s', async (_, output, value) => {
    await using place = await stage([give(value)]);
    expect(await ask('go', { ...place.options, output }).output()).toEqual(value);
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('is checked by its original form', async () => {
    await using place = await stage([give({ ...aDay, pair: [1, 'x'] }), give(aDay)]);
    expect(await ask('go', { ...place.options, output: day }).output()).toEqual(aDay);
    expect(JSON.stringify(toolResults(place.loopback.requests[1]!))).toContain('pair.0: Invalid input');
  });
});

withCli('#18 A turn without an output that passes the schema', () => {
  it('fails with the raw text where the model never gives one, though the agent insists', async () => {
    await using place = await stage(['Rome has 2.8 million.', 'I told you.']);
    const answer = ask('go', { ...place.options, output: city });
    expect(await answer.result).toMatchObject({
      kind: 'failed',
      cause: 'output',
      text: 'I told you.',
      message: 'The turn ended without an output. The model wrote: I told you.',
      attempts: [],
    });
    await expect(answer.output()).rejects.toBeInstanceOf(TurnError);
    await expect(answer.text()).rejects.toMatchObject({ outcome: { cause: 'output' } });
  });

  it('fails with every attempt where the model gives up', async () => {
    await using place = await stage([give({ name: 'Rome' }), 'I cannot.', 'I cannot.']);
    expect(await ask('go', { ...place.options, output: city }).result).toMatchObject({
      kind: 'failed',
      cause: 'output',
      text: 'I cannot.',
      attempts: [{ value: { name: 'Rome' }, problem: 'people: Invalid input: expected number, received undefined' }],
    });
  });

  it('fails with every attempt where the agent has tried often enough, and the session continues', async () => {
    await using place = await stage([...Array.from({ length: 5 }, () => give({ name: 'Rome' })), give(rome)]);
    await using session = await openSession({ ...place.options, output: city });
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({
      kind: 'failed',
      cause: 'output',
      message: expect.stringMatching(/5 attempts.*: people: Invalid input/),
    });
    expect(outcome.kind === 'failed' && outcome.attempts).toHaveLength(5);
    expect(await session.send('again').output()).toEqual(rome);
  });

  it('fails after as many attempts as the environment of the agent allows', async () => {
    await using place = await stage(() => give({ name: 'Rome' }), { MAX_STRUCTURED_OUTPUT_RETRIES: '1' });
    const outcome = await ask('go', { ...place.options, output: city }).result;
    expect(outcome.kind === 'failed' && outcome.attempts).toHaveLength(1);
  });

  it('is interrupted when it is interrupted', async () => {
    await using place = await stage([text(['Rome ', gate()])]);
    await using session = await openSession({ ...place.options, partialMessages: true, output: city });
    const turn = session.send('go');
    for await (const message of turn) if (message.type === 'stream_event') break;
    await turn.interrupt();
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    await expect(turn.output()).rejects.toMatchObject({ outcome: { kind: 'interrupted' } });
  });

  it('fails as any other where the service refuses, and where a limit is reached', async () => {
    await using refusing = await stage(() => apiError(400));
    const refused = await ask('go', { ...refusing.options, output: city }).result;
    expect(refused).toMatchObject({ kind: 'failed', cause: 'api' });
    await using wrong = await stage(() => give({ name: 'Rome' }));
    const limited = await ask('go', { ...wrong.options, output: city, budget: { turns: 2 } }).result;
    expect(limited).toMatchObject({ kind: 'failed', cause: 'budget' });
  });

  it('does not take the output of a subagent for its own', async () => {
    const delegated = { description: 'd', prompt: 'sub', subagent_type: 'general-purpose', run_in_background: false };
    await using place = await stage([toolUse('Task', delegated), give(rome), 'Rome.', 'Done.', 'Done.']);
    const outcome = await ask('go', { ...place.options, output: city }).result;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'output', attempts: [] });
    expect(place.loopback.requests.map(shownTo).map((schema) => schema !== undefined)).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });
});

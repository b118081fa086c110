import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as three } from 'zod-3';
import { ask, createSdk, type OutputSchema } from '@hexagent/sdk';
import type { Launch } from '@hexagent/ports';
import { toAgentSchema } from '../src/output/agent-schema.ts';

type Fields = Readonly<Record<string, unknown>>;

const fit = (json: Fields, isPlain = true): Fields => toAgentSchema({ json, place: '`output`', isPlain }).json;
/** The same for the schema of a property. */
function fitInner(schema: Fields, isPlain = true): unknown {
  const { properties } = fit({ type: 'object', properties: { a: schema } }, isPlain);
  return Object(properties).a;
}

/** The schema in the launch of a session. */
async function launchedWith(output: OutputSchema): Promise<unknown> {
  let schema: unknown;
  const sdk = createSdk({
    launcher(options) {
      schema = options.outputFormat?.schema;
      throw new Error('far enough');
    },
  });
  await expect(sdk.openSession({ output })).rejects.toThrow('far enough');
  return schema;
}

describe('#18 The schema of an output, for the agent', () => {
  it.each<readonly [string, Fields, unknown]>([
    [
      'an annotation',
      { type: 'string', 'x-own': 1, $comment: 'c', deprecated: true, examples: ['a'] },
      { type: 'string' },
    ],
    ['a member that is no text', { description: 5, title: 6, format: 7 }, {}],
    ['a keyword of 2020-12', { dependentRequired: { a: ['b'] }, dependentSchemas: { a: true } }, {}],
    ['a count that draft 07 does not have', { contains: { type: 'string' }, minContains: 2 }, {}],
    ['a condition without a consequence', { if: { type: 'string' } }, {}],
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    ['a consequence without a condition', { then: { type: 'string' }, else: { type: 'number' } }, {}],
    ['an empty list of conditions', { allOf: [], type: [] }, {}],
    ['a number that cannot be', { minLength: -1, maxItems: 1.5, multipleOf: 0 }, {}],
    ['a name in a list a second time', { enum: ['a', 'a'], required: ['b', 'b'] }, { enum: ['a'], required: ['b'] }],
  ])('is without %s', (_, given, left) => {
    expect(fitInner(given)).toEqual(left);
  });

  it.each<readonly [string, Fields]>([
    ['formats', { type: 'string', format: 'date-time', title: 't', description: 'd', default: 'x' }],
    ['references and recursion', { $ref: '#' }],
    ['choices', { anyOf: [{ type: 'string' }, { const: null }], oneOf: [true], allOf: [{ not: { enum: [1] } }] }],
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    ['conditions', { if: { type: 'string' }, then: { minLength: 2 }, else: false }],
    ['objects', { type: 'object', additionalProperties: { type: 'number' }, propertyNames: { pattern: '^a' } }],
    ['patterns of names', { patternProperties: { '^a': { type: 'string' } }, additionalProperties: false }],
    ['lists', { type: 'array', items: { type: 'string' }, uniqueItems: true, contains: { const: 'a' }, minItems: 1 }],
  ])('keeps %s', (_, given) => {
    expect(fitInner(given)).toEqual(given);
  });

  it('keeps properties that are named like keywords, and data that looks like a schema', () => {
    const schema = { type: 'object', properties: { examples: { type: 'string' }, enum: { const: { $comment: 1 } } } };
    expect(fit(schema)).toEqual(schema);
  });

  it('describes a tuple in words, since the dialects have no form of it in common', () => {
    const [text, number] = [{ type: 'string' }, { type: 'number' }];
    const order = 'Items in this order: [{"type":"string"},{"type":"number"}]';
    expect(fitInner({ type: 'array', prefixItems: [text, number], items: false, minItems: 2 })).toEqual({
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: { anyOf: [text, number] },
      description: order,
    });
    const open = { type: 'array', prefixItems: [text, number], items: { type: 'boolean' }, description: 'A row.' };
    expect(fitInner(open)).toEqual({
      type: 'array',
      items: { anyOf: [text, number, { type: 'boolean' }] },
      description: `A row. ${order}`,
    });
    expect(fitInner({ type: 'array', items: [text, number], additionalItems: false })).toMatchObject({ maxItems: 2 });
    expect(fitInner({ prefixItems: [], items: false })).toEqual({
      maxItems: 0,
      description: 'Items in this order: []',
    });
  });

  it('is without the patterns of a library that the agent cannot compile', () => {
    expect(fitInner({ type: 'string', pattern: '^[\\w-.]+$' }, false)).toEqual({ type: 'string' });
    const names = { patternProperties: { '[\\w-.]': true }, additionalProperties: false };
    expect(fitInner(names, false)).toEqual({});
  });

  it.each<readonly [string, Fields]>([
    ['a list', { type: 'array', items: { $ref: '#' } }],
    ['a text', { type: 'string' }],
    ['anything', {}],
    ['a choice of objects', { anyOf: [{ type: 'object' }] }],
    ['a reference', { type: 'object', $ref: '#/$defs/a', $defs: { a: {} } }],
    ['an object with a name that the service refuses', { type: 'object', properties: { 'a b': {} } }],
  ])('is the field of an object for %s', (_, json) => {
    expect(toAgentSchema({ json, place: 'p', isPlain: true })).toMatchObject({
      isWrapped: true,
      json: { type: 'object', properties: { value: expect.anything() }, required: ['value'] },
    });
  });

  it('has references that still lead to the same place when it becomes a field', () => {
    expect(fit({ type: 'array', items: { $ref: '#' } })).toMatchObject({
      properties: { value: { items: { $ref: '#/properties/value' } } },
    });
  });
});

describe('An answer whose schema has yet to be loaded', () => {
  it.each([false, true])(
    'is of one agent with one set of features, which has the schema; in pieces: %s',
    async (isInPieces) => {
      const [launches, opened]: [Launch[], string[]] = [[], []];
      const sdk = createSdk({
        transport: {
          async connect(launch) {
            launches.push(launch);
            throw new Error('far enough');
          },
        },
        features: () => [{ name: String(opened.push('feature')) }],
      });
      const answer = sdk.ask('go', { output: mini.object({ name: mini.string() }) });
      const reader = isInPieces ? answer.outputStream() : answer;
      await expect(reader[Symbol.asyncIterator]().next()).rejects.toThrow('far enough');
      await answer.close();
      expect(opened).toHaveLength(1);
      expect(launches).toHaveLength(1);
      expect(launches[0]?.args.includes('--include-partial-messages')).toBe(isInPieces);
      expect(launches[0]?.initialize).toMatchObject({ jsonSchema: { properties: { name: { type: 'string' } } } });
    },
  );
});

describe('A schema of an output is refused', () => {
  it.each<readonly [unknown, string]>([
    [
      { properties: { a: { $dynamicRef: '#x' } } },
      '`output` cannot be used: `#/properties/a/$dynamicRef` is not checked',
    ],
    [{ items: { unevaluatedProperties: false } }, '`#/items/unevaluatedProperties` is not checked by anyone. Use'],
    [{ anyOf: [{ type: 'string', nullable: true }] }, '`#/anyOf/0/nullable` is of OpenAPI. Use a list of types'],
    [{ $defs: { a: { enum: [] } } }, '`#/$defs/a/enum` is empty'],
    [{ oneOf: [] }, '`#/oneOf` is empty'],
    [{ $ref: '#/$defs/a' }, 'points to #/$defs/a, which the schema does not have'],
    [{ $ref: 'https://x.example/s' }, 'points to https://x.example/s'],
    [{ type: 'text' }, '`#/type` is "text", which is no type'],
    [{ pattern: '(' }, '`#/pattern` is (, which is no regular expression'],
    [{ default: new Map() }, '`output` cannot be written as JSON'],
    [{ city: z.string() }, '`output` must be a schema, such as z.object({ city: z.string() })'],
    [{ city: 'string' }, '`#` has no keyword that describes a value'],
    ['object', '`output` must be a schema'],
    [null, '`output` must be a schema'],
    [v.object({}), 'pass toStandardJsonSchema(schema) of @valibot/to-json-schema'],
  ])('at once, with the place: %j', (output, message) => {
    expect(() => ask('go', { output: output as OutputSchema })).toThrow(TypeError);
    expect(() => ask('go', { output: output as OutputSchema })).toThrow(message);
  });

  it('at once for other options too, where the schema has yet to be loaded', () => {
    const options = { output: mini.object({}), permissions: { cliMode: 'bypassPermissions' } } as const;
    expect(() => ask('go', options)).toThrow('allowBypass: true');
  });

  it('after it was loaded, with nothing left open', async () => {
    let open = 0;
    const features = () => {
      open += 1;
      return [{ name: 'file', close: async () => void (open -= 1) }];
    };
    const sdk = createSdk({ features });
    const output = mini.object({ name: mini.union([]) });
    await expect(sdk.openSession({ output })).rejects.toThrow('is empty, so no value fits');
    const answer = sdk.ask('go', { output });
    await expect(answer.result).rejects.toThrow('is empty, so no value fits');
    await answer.close(); // does not reject
    expect(open).toBe(0);
  });

  it('beside a mode that denies the tool by which the model gives it', () => {
    const options = { output: z.object({}), permissions: { mode: 'deny' } } as const;
    expect(() => ask('go', options)).toThrow('`output` cannot be combined with `permissions.mode: "deny"`');
  });
});

describe('A schema of an output by', () => {
  it.each<readonly [string, OutputSchema]>([
    ['zod', z.object({ name: z.string(), age: z.number().optional() })],
    ['zod/mini', mini.object({ name: mini.string(), age: mini.optional(mini.number()) })],
    ['zod 3', three.object({ name: three.string(), age: three.number().optional() })],
    ['valibot', toStandardJsonSchema(v.object({ name: v.string(), age: v.optional(v.number()) }))],
    [
      'valibot, with a check',
      toStandardJsonSchema(
        v.object({
          name: v.pipe(
            v.string(),
            v.check((name) => name !== ''),
          ),
          age: v.optional(v.number()),
        }),
      ),
    ],
    ['arktype', type({ name: 'string', 'age?': 'number' })],
    ['arktype, with a check', type({ name: type('string').narrow((name) => name !== ''), 'age?': 'number' })],
  ])('%s becomes that of the agent', async (_, output) => {
    expect(await launchedWith(output)).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'number' } },
      required: ['name'],
    });
  });

  it('zod, written as a JSON Schema before, is a JSON Schema', async () => {
    const city = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect(await launchedWith(z.toJSONSchema(z.object({ name: z.string() })))).toMatchObject(city);
  });

  it('any library leaves a type open that JSON Schema lacks', async () => {
    for (const output of [
      z.object({ at: z.date() }),
      toStandardJsonSchema(v.object({ at: v.date() })),
      type({ at: 'Date' }),
    ])
      expect(await launchedWith(output)).toMatchObject({ properties: { at: {} } });
  });
});

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { ToolSchema } from '../src/index.ts';
import { attempt } from './attempt.ts';

describe('A plain JSON Schema', () => {
  const plain: ToolSchema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['C', 'F'] },
      near: { type: ['string', 'null'] },
      stops: { type: 'array', items: { type: 'object', required: ['city'] } },
    },
    required: ['city'],
  };

  it('is listed unchanged, and valid arguments reach the handler unchanged', async () => {
    const { schema, parse } = await attempt(plain);
    expect(schema).toEqual(plain);
    const given = { city: 'Rome', days: 2, unit: 'C', near: null, stops: [{ city: 'Pisa' }], more: 1 };
    expect(await parse(given)).toEqual(given);
  });

  it.each([
    [{}, 'city: required, and missing'],
    [{ city: 1 }, 'city: expected string, received number'],
    [{ city: 'x', days: 1.5 }, 'days: expected integer, received number'],
    [{ city: 'x', unit: 'K' }, 'unit: expected one of C, F'],
    [{ city: 'x', near: 1 }, 'near: expected string or null, received number'],
    [{ city: 'x', stops: {} }, 'stops: expected array, received object'],
    [{ city: 'x', stops: [{}] }, 'stops.0.city: required, and missing'],
  ])('is checked, and the model reads which field is wrong and why: %j', async (given, problem) => {
    const { refusal } = await attempt(plain);
    expect(await refusal(given)).toBe(`Invalid arguments for probe:\n- ${problem}`);
  });
});

/** Schemas of one field `v`, with values that they distinguish. */
const cases: readonly (readonly [unknown, readonly unknown[]])[] = [
  [true, [1, null]],
  [false, [1]],
  [{}, [1, 'x']],
  [{ type: ['integer', 'null'] }, [1, 1.5, null, '1']],
  [{ enum: [1, 'a', { b: [1] }, null] }, [1, '1', { b: [1] }, { b: [2] }, { b: [1], c: 1 }, null]],
  [{ const: { a: [] } }, [{ a: [] }, { a: {} }, {}]],
  [{ minimum: 1, maximum: 3 }, [0, 1, 3, 3.1, 'x']],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [1, 2, 3]],
  [{ multipleOf: 0.1 }, [0.3, 0.35, 7]],
  [{ multipleOf: 3 }, [9, 10, 0]],
  [{ minLength: 2, maxLength: 3 }, ['a', 'ab', 'abcd', '😀😀', '😀', 5]],
  [{ pattern: '^a+$' }, ['aa', 'b', 1]],
  [{ pattern: '^\\p{L}$' }, ['é', '1']],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[], [1], [1, 2], [1, 1], [{ a: 1 }, { a: 1 }], [1, 2, 3]]],
  [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [['a', 1], ['a', 'b'], [1], []]],
  [{ items: false }, [[], [1]]],
  [{ contains: { type: 'number' } }, [['a'], ['a', 1], []]],
  [{ contains: { type: 'number' }, minContains: 0, maxContains: 1 }, [['a'], [1, 2], [1]]],
  [{ minProperties: 1, maxProperties: 1 }, [{}, { a: 1 }, { a: 1, b: 2 }]],
  [{ properties: { a: { type: 'string' } }, additionalProperties: false }, [{ a: 'x' }, { a: 1 }, { b: 1 }, {}]],
  [
    { patternProperties: { '^n': { type: 'number' } }, additionalProperties: { type: 'string' } },
    [{ n1: 1, b: 'x' }, { n1: 'x' }, { b: 1 }],
  ],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }, { abc: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ a: 1 }, { a: 1, b: 1 }, { b: 1 }]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{ a: 1 }, { a: 1, b: 1 }, { b: 1 }]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 1, 3]],
  [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 4, 5]],
  [{ oneOf: [{ minimum: 1 }, { minimum: 5 }] }, [0, 2, 6]],
  [{ not: { type: 'string' } }, ['a', 1]],
  // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
  [{ if: { minimum: 10 }, then: { multipleOf: 10 }, else: { maximum: 5 } }, [20, 15, 5, 6]],
  [{ if: { minimum: 10 } }, [20, 1]],
  [{ $ref: '#/$defs/word' }, ['a', 1]],
  [{ $ref: '#/$defs/a~1b%20c' }, [true, 1]],
  [{ $ref: '#/$defs/tree' }, [{ parts: [{ parts: [] }] }, { parts: [{ parts: [1] }] }, {}]],
  [{ required: ['constructor', 'a.b'] }, [{}, { constructor: 1, 'a.b': 1 }]],
  [{ type: 'string', format: 'email', $comment: 'x', constructor: 5 }, ['a@b.example']],
];

/** Keywords of draft 7, which many generators still write. */
const olderCases: typeof cases = [
  [{ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, [['a', 1], ['a', 'b'], ['a'], [1]]],
  [{ items: [{ type: 'string' }], additionalItems: false }, [['a'], ['a', 1]]],
  [{ items: { type: 'string' }, additionalItems: false }, [['a', 'b'], [1]]],
  [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }, {}]],
];

describe('The verdict over arguments is the one that Ajv has', () => {
  const $defs = {
    word: { type: 'string' },
    'a/b c': { type: 'boolean' },
    tree: { type: 'object', properties: { parts: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  };

  it.each([
    ...cases.map((one) => ['2020-12', ...one] as const),
    ...olderCases.map((one) => ['draft 7', ...one] as const),
  ])('in %s, for %j', async (dialect, v, values) => {
    const Judge = dialect === 'draft 7' ? Ajv : Ajv2020;
    const schema: ToolSchema = { type: 'object', properties: { v }, $defs };
    const ajv = new Judge({ strict: false, validateFormats: false, multipleOfPrecision: 9 }).compile(schema);
    const { call } = await attempt(schema);
    const verdicts = await Promise.all(
      values.map(async (value) => [value, (await call({ v: value })).isError !== true]),
    );
    expect(verdicts).toEqual(values.map((value) => [value, ajv({ v: value })]));
  });
});

describe('What the model reads of wrong arguments', () => {
  it.each<[unknown, unknown, string]>([
    [{ minimum: 1 }, 0, 'v: must be at least 1'],
    [{ exclusiveMaximum: 3 }, 3, 'v: must be less than 3'],
    [{ minLength: 2 }, 'a', 'v: must have at least 2 characters'],
    [{ maxItems: 1 }, [1, 2], 'v: must have at most 1 items'],
    [{ pattern: '^a$' }, 'b', 'v: must match ^a$'],
    [{ const: { a: 1 } }, 2, 'v: expected {"a":1}'],
    [{ uniqueItems: true }, [1, 1], 'v: must not contain an item twice'],
    [{ additionalProperties: false }, { more: 1 }, 'v.more: not allowed'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'v.ab: must have at most 1 characters (its name)'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'v.b: required, and missing'],
    [
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'number' } } }] },
      { a: 'x' },
      'v: of none of the allowed forms (v: expected string, received object | v.a: expected number, received string)',
    ],
    [{ oneOf: [true, true] }, 1, 'v: of several forms of which only one is allowed'],
    [{ not: true }, 1, 'v: of a form that is excluded'],
    [{ contains: { type: 'number' } }, ['a'], 'v: has 0 items of the form that it must contain'],
  ])('%j and %j', async (v, value, problem) => {
    const { refusal } = await attempt({ type: 'object', properties: { v } });
    expect(await refusal({ v: value })).toBe(`Invalid arguments for probe:\n- ${problem}`);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as three } from 'zod/v3';
import type { ToolSchema } from '../src/index.ts';
import { attempt } from './attempt.ts';

const texts = { type: 'string' };
const numbers = { type: 'number' };

describe('A schema that is a choice between objects', () => {
  const unions: readonly (readonly [string, ToolSchema])[] = [
    ['zod', z.union([z.object({ a: z.string(), c: z.string() }), z.object({ b: z.number(), c: z.string() })])],
    [
      'zod/mini',
      mini.union([
        mini.object({ a: mini.string(), c: mini.string() }),
        mini.object({ b: mini.number(), c: mini.string() }),
      ]),
    ],
    [
      'zod 3',
      three.union([
        three.object({ a: three.string(), c: three.string() }),
        three.object({ b: three.number(), c: three.string() }),
      ]),
    ],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: { c: texts },
        required: ['c'],
        oneOf: [{ properties: { a: texts }, required: ['a'], additionalProperties: true }, { $ref: '#/$defs/other' }],
        $defs: { other: { type: 'object', properties: { b: numbers }, required: ['b'] } },
      },
    ],
  ];

  it.each(unions)(
    'is listed as one object, as the agent takes no other, and checked as it is: %s',
    async (_, union) => {
      const { schema, refusal } = await attempt(union);
      for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(keyword);
      expect(schema).toMatchObject({ type: 'object', properties: { a: texts, b: numbers, c: texts }, required: ['c'] });
      expect(await refusal({ c: 'x' })).toMatch(/^Invalid arguments for probe:/);
      expect(await (await attempt(union)).parse({ b: 1, c: 'x' })).toEqual({ b: 1, c: 'x' });
    },
  );

  it('has the reason of each alternative in what the model reads', async () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.object({ c: z.number() }) })]);
    expect(await (await attempt(union)).refusal({ a: 1, b: {} })).toBe(
      'Invalid arguments for probe:\n- Invalid input (a: Invalid input: expected string, received number | b.c: Invalid input: expected number, received undefined)',
    );
  });

  it('lists a property that differs with its alternatives', async () => {
    const { schema } = await attempt(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('text'), value: z.string() }),
        z.object({ kind: z.literal('number'), value: z.number(), unit: z.string().optional() }),
      ]),
    );
    expect(schema).toMatchObject({
      properties: {
        kind: { anyOf: [{ const: 'text' }, { const: 'number' }] },
        value: { anyOf: [texts, numbers] },
        unit: texts,
      },
      required: ['kind', 'value'],
    });
  });

  it('leaves out alternatives that are not objects, and is open where one is', async () => {
    const { schema } = await attempt(z.object({ a: z.string() }).nullable());
    expect(schema).toEqual({ type: 'object', properties: { a: texts }, required: ['a'] });
    const open = await attempt({ type: 'object', anyOf: [{ properties: { a: texts }, required: ['a'] }, {}] });
    expect(open.schema).toEqual({ type: 'object', properties: { a: texts } });
  });

  it('has what all of its parts require', async () => {
    const { schema, refusal } = await attempt({
      type: 'object',
      allOf: [
        { properties: { a: texts }, required: ['a'] },
        { properties: { a: { minLength: 2 }, b: numbers }, required: ['b'] },
      ],
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { allOf: [texts, { minLength: 2 }] }, b: numbers },
      required: ['a', 'b'],
    });
    expect(await refusal({ a: 'x', b: 1 })).toContain('a: must have at least 2 characters');
  });

  it('may contain itself, or what every object has', async () => {
    const loop = await attempt({ type: 'object', anyOf: [{ $ref: '#' }, { properties: { a: { $ref: '#' } } }] });
    expect(loop.schema).toEqual({ type: 'object', properties: { a: { $ref: '#' } } });
    const named: ToolSchema = JSON.parse('{"type":"object","anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}');
    expect(Object.keys((await attempt(named)).schema['properties'] as object)).toEqual(['__proto__']);
  });

  it('is listed as it is where a reference leads into its alternatives', async () => {
    const schema: ToolSchema = {
      type: 'object',
      anyOf: [{ properties: { a: texts } }, { properties: { b: { $ref: '#/anyOf/0' } } }],
    };
    expect((await attempt(schema)).schema).toEqual(schema);
  });
});

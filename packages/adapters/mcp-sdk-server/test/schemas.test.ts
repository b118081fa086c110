import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import type { McpServer } from '@hexagent/ports';
import { tool, type StandardSchema, type ToolSchema } from '../src/index.ts';
import { attempt } from './attempt.ts';
import { lightServer, text } from './client.ts';

describe('A shape of zod 4', () => {
  it('#45 keeps its descriptions and names what is required', async () => {
    const { schema } = await attempt({
      city: z.string().describe('A place'),
      days: z.number().int().optional(),
      unit: z.enum(['C', 'F']).default('C'),
    });
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'A place' },
        days: { type: 'integer' },
        unit: { enum: ['C', 'F'], default: 'C' },
      },
      required: ['city'],
    });
  });

  it('that is empty takes no arguments, or none that count', async () => {
    const { schema, parse } = await attempt({});
    expect(schema).toEqual({ type: 'object', properties: {} });
    expect(await parse()).toEqual({});
    expect(await parse({ more: 1 })).toEqual({});
  });

  it('fills in defaults, applies transforms and drops unknown arguments, as an object of zod does', async () => {
    const shape = {
      a: z.number().default(1),
      b: z.string().transform((b) => b.length),
      c: z.coerce.date(),
      d: z.string().optional(),
    };
    const given = { b: 'four', c: '2026-11-18', more: true };
    const { parse } = await attempt(shape);
    expect(await parse(given)).toEqual({ a: 1, b: 4, c: new Date('2026-11-18') });
    expect(await parse(given)).toStrictEqual(z.object(shape).parse(given));
  });

  it.each<[string, StandardSchema]>([
    ['default', z.string().default('x')],
    ['prefault', z.string().prefault('x')],
    ['optional', z.string().optional()],
    ['exactOptional', z.exactOptional(z.string())],
    ['nullish', z.string().nullish()],
    ['any', z.any()],
    ['string', z.string()],
    [
      'optional and filled by a transform',
      z
        .string()
        .optional()
        .transform((value) => value ?? 'x'),
    ],
    [
      'default that its own check refuses',
      z
        .string()
        .default('x')
        .refine((value) => value !== 'x'),
    ],
    ['catch', z.string().catch('x')],
  ])('treats an argument that is left out as an object of zod does: %s', async (_, key) => {
    const { parse } = await attempt({ key });
    const whole = z.object({ key: key as z.ZodType }).safeParse({});
    const ours = await parse({}).catch(() => 'refused');
    expect(ours).toStrictEqual(whole.success ? whole.data : 'refused');
  });

  it('names every wrong field with its path and the reason', async () => {
    const { refusal } = await attempt({
      name: z.string(),
      stops: z.array(z.object({ city: z.string() })),
      any: z.unknown(),
    });
    expect(await refusal({ name: 5, stops: [{ city: 'Rome' }, {}] })).toBe(
      'Invalid arguments for probe:\n' +
        '- name: Invalid input: expected string, received number\n' +
        '- stops.1.city: Invalid input: expected string, received undefined\n' +
        '- any: required, and missing',
    );
  });

  it('does not read inherited properties as arguments', async () => {
    const { refusal } = await attempt({ toString: z.unknown() });
    expect(await refusal({})).toContain('toString: required, and missing');
    const { parse } = await attempt({ toString: z.unknown().optional() });
    expect(await parse({})).toStrictEqual({});
  });

  it('waits for asynchronous checks', async () => {
    const { parse, refusal } = await attempt({
      a: z.string().refine(async (a) => a === 'yes', 'say yes'),
      b: z.number(),
    });
    expect(await refusal({ a: 'no', b: 1 })).toBe('Invalid arguments for probe:\n- a: say yes');
    expect(await parse({ a: 'yes', b: 1 })).toEqual({ a: 'yes', b: 1 });
  });

  it('is listed in the dialect of the Messages API, where a tuple is a list of prefixItems', async () => {
    const { schema } = await attempt({ pair: z.tuple([z.string(), z.number()]) });
    expect(schema).not.toHaveProperty('$schema');
    expect(schema).toHaveProperty('properties.pair.prefixItems', [{ type: 'string' }, { type: 'number' }]);
  });

  it('leaves a type open that JSON Schema lacks, and still checks it', async () => {
    const { schema, refusal } = await attempt({ when: z.date().describe('A moment') });
    expect(schema).toHaveProperty('properties.when', { description: 'A moment' });
    expect(await refusal({ when: 'today' })).toContain('when: Invalid input: expected date');
  });

  it('keeps the references of a schema that contains itself', async () => {
    const node: z.ZodType = z.object({ name: z.string(), parts: z.array(z.lazy(() => node)) });
    const { schema, parse } = await attempt({
      'a/b': node,
      $ref: z.string(),
      fixed: z.object({ $ref: z.string() }).default({ $ref: '#/x' }),
    });
    expect(schema).toHaveProperty(['properties', 'a/b', 'properties', 'parts', 'items', '$ref'], '#/properties/a~1b');
    expect(schema).toHaveProperty(['properties', '$ref', 'type'], 'string');
    expect(schema).toHaveProperty(['properties', 'fixed', 'default'], { $ref: '#/x' });
    const given = { 'a/b': { name: 'x', parts: [{ name: 'y', parts: [] }] }, $ref: '#' };
    expect(await parse(given)).toEqual({ ...given, fixed: { $ref: '#/x' } });
  });
});

describe('Other schemas', () => {
  it('an object of zod 4 works, including checks across its fields', async () => {
    const range = z
      .object({ from: z.number(), to: z.number().default(9) })
      .refine(({ from, to }) => from <= to, 'from must not exceed to');
    const { schema, parse, refusal } = await attempt(range);
    expect(schema).toMatchObject({ type: 'object', required: ['from'] });
    expect(await refusal({ from: 10 })).toBe('Invalid arguments for probe:\n- from must not exceed to');
    expect(await parse({ from: 1 })).toEqual({ from: 1, to: 9 });
  });

  it('zod/mini, whose schemas cannot convert themselves, as a shape and as an object', async () => {
    for (const given of [
      { a: mini.string(), b: mini.optional(mini.number()) },
      mini.object({ a: mini.string(), b: mini.optional(mini.number()) }),
    ]) {
      const { schema, refusal } = await attempt(given);
      expect(schema).toMatchObject({
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
      });
      expect(await refusal({ a: 1 })).toContain('a: Invalid input');
    }
  });

  it('a library that only implements the Standard Schema', async () => {
    const validate = (value: unknown): { value: string } | { issues: { message: string; path: { key: string }[] }[] } =>
      typeof value === 'string'
        ? { value: value.trim() }
        : { issues: [{ message: 'no word', path: [{ key: 'inner' }] }] };
    const word: StandardSchema = {
      '~standard': { version: 1, vendor: 'words', validate, jsonSchema: { input: () => ({ type: 'string' }) } },
    };
    const { schema, parse, refusal } = await attempt({ word });
    expect(schema).toEqual({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] });
    expect(await refusal({})).toContain('- word.inner: no word');
    expect(await parse({ word: ' hi ' })).toEqual({ word: 'hi' });
  });

  const made = (validate: (value: unknown) => unknown): StandardSchema => ({
    '~standard': {
      version: 1,
      vendor: 'odd',
      validate: validate as StandardSchema['~standard']['validate'],
      jsonSchema: { input: () => ({}) },
    },
  });

  it.each([
    [undefined, 'its schema returned no result, and { value } or { issues } is accepted'],
    [null, 'its schema returned no result, and { value } or { issues } is accepted'],
    [true, 'its schema returned no result, and { value } or { issues } is accepted'],
    [{ value: 1, issues: [] }, 'its schema refuses it without a reason'],
    [{ value: 1, issues: 'too long' }, 'its schema refuses it without a reason'],
    [{}, 'its schema returned an object without keys, and { value } or { issues } is accepted'],
    [
      { success: false, error: 'no' },
      'its schema returned an object with the keys success, error, and { value } or { issues } is accepted',
    ],
    [{ issues: null }, 'its schema returned an object with the keys issues, and { value } or { issues } is accepted'],
    [new Error('no'), 'its schema returned an object without keys, and { value } or { issues } is accepted'],
    [[], 'its schema returned a list, and { value } or { issues } is accepted'],
    [{ issues: [null] }, 'its schema refuses it without a reason'],
    [{ issues: [{}] }, 'its schema refuses it without a reason'],
    [{ issues: ['too long'] }, 'too long'],
  ])('a library whose validator returns %o: the handler is not called', async (odd, reason) => {
    for (const schema of [made(() => odd), made(async () => odd)]) {
      expect(await (await attempt({ a: schema, b: z.any() })).refusal({ a: 1, b: 2 })).toContain(`- a: ${reason}`);
      expect(await (await attempt(schema)).refusal({ a: 1 })).toContain(`- ${reason}`);
    }
  });

  it('a library whose issues are the result itself, and one that has no issues with `null`', async () => {
    const issues = Object.assign([{ message: 'no' }], { issues: [{ message: 'no' }] });
    expect(await (await attempt({ a: made(() => issues) })).refusal({ a: 1 })).toContain('- a: no');
    expect(await (await attempt({ a: made(() => ({ value: 2, issues: null })) })).parse({ a: 1 })).toEqual({ a: 2 });
  });

  it('a library whose issues have a path that is not a list of keys', async () => {
    const at = (path: unknown): StandardSchema => made(() => ({ issues: [{ message: 'no', path }] }));
    expect(await (await attempt({ a: at('b') })).refusal({ a: 1 })).toContain('- a.b: no');
    expect(await (await attempt({ a: at([null, Symbol('s'), { key: 'k' }]) })).refusal({ a: 1 })).toContain(
      '- a.null.Symbol(s).k: no',
    );
  });

  it('a library whose validator throws, or returns what only has a `then`', async () => {
    const throwing = made(() => {
      throw new Error('cannot judge');
    });
    expect(await (await attempt({ a: throwing })).refusal({ a: 1 })).toBe('cannot judge');
    const issues = [{ message: 'no' }];
    // oxlint-disable-next-line unicorn/no-thenable -- What a promise of another realm looks like.
    const late = made(() => ({ then: (resolve: (result: unknown) => void) => resolve({ issues }) }));
    expect(await (await attempt({ a: late })).refusal({ a: 1 })).toContain('- a: no');
    expect(await (await attempt(late)).refusal({})).toContain('- no');
    const rejecting = made(() => Promise.reject(new Error('cannot judge')));
    expect(await (await attempt({ a: rejecting })).refusal({ a: 1 })).toBe('cannot judge');
  });
});

describe('The manifest of a server', () => {
  const tools = (schema: ToolSchema): McpServer => lightServer({ tools: [tool('probe', 'd', schema, () => text(''))] });

  it('is there where all schemas can be listed at once', () => {
    expect(tools({ a: z.string() }).manifest?.()).toMatchObject({
      initializeResult: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'calc' } },
      toolsListResult: { tools: [{ name: 'probe', inputSchema: { properties: { a: { type: 'string' } } } }] },
    });
  });

  it('is not there where zod or a converter has to be loaded first', () => {
    expect(tools({ a: mini.string() }).manifest?.()).toBeUndefined();
  });
});

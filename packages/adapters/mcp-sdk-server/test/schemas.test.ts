import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import * as zod3 from 'zod/v3';
import { tool, type StandardSchema, type ToolSchema } from '../src/index.ts';
import { hello, lightServer, openSession, text, type CallResult, type Listed } from './client.ts';

interface Tried {
  readonly schema: Listed['inputSchema'];
  call(args?: unknown): Promise<CallResult>;
  /** The arguments that reached the handler; throws when it was not called. */
  parse(args?: unknown): Promise<unknown>;
  /** The text that the model reads when the handler is not called. */
  refusal(args?: unknown): Promise<string | undefined>;
}

async function attempt(inputSchema: ToolSchema): Promise<Tried> {
  const seen: unknown[] = [];
  const probe = tool('probe', 'Shows what it is given', inputSchema, (args) => {
    seen.push(args);
    return text('seen');
  });
  const { call, listed } = await openSession(lightServer({ tools: [probe] }));
  const [only] = await listed();
  if (!only) throw new Error('No tool is listed.');
  const tried = async (args: unknown): Promise<CallResult> => await call('probe', args);
  return {
    schema: only.inputSchema,
    call: tried,
    parse: async (args) => {
      const { isError, content } = await tried(args);
      if (isError) throw new Error(content[0]?.text);
      return seen.at(-1);
    },
    refusal: async (args) => {
      const { isError, content } = await tried(args);
      if (!isError || seen.length > 0) throw new Error('The handler was called.');
      return content[0]?.text;
    },
  };
}

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

  it('a union of objects is an object to the model', async () => {
    const { schema, parse } = await attempt(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]));
    expect(schema).toMatchObject({ type: 'object', anyOf: [{ type: 'object' }, { type: 'object' }] });
    expect(await parse({ b: 'x' })).toEqual({ b: 'x' });
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
});

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
  ])('is checked by type, required fields and enumerations: %j', async (given, problem) => {
    const { refusal } = await attempt(plain);
    expect(await refusal(given)).toBe(`Invalid arguments for probe:\n- ${problem}`);
  });
});

describe('Anything but a schema of an object is refused when the server is made:', () => {
  const make = (schema: unknown) => () =>
    lightServer({ tools: [tool('probe', 'd', schema as ToolSchema, () => text(''))] });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a field that is no schema', { a: 'string' }],
    ['a JSON Schema of something else', { type: 'string' }],
  ])('%s', (_, schema) => {
    expect(make(schema)).toThrow(TypeError);
    expect(make(schema)).toThrow('The schema of the tool probe must be a shape such as');
  });

  it('a zod schema of something else', () => {
    expect(make(z.string())).toThrow(
      "The schema of the tool probe describes a string; a tool's arguments are an object.",
    );
  });

  it('a schema that has no JSON Schema', () => {
    const bare = { '~standard': { version: 1, vendor: 'bare', validate: () => ({ value: 1 }) } };
    expect(make(bare)).toThrow('a schema of bare that has no JSON Schema');
    const broken = {
      '~standard': {
        ...bare['~standard'],
        jsonSchema: {
          input: () => {
            throw new Error('cannot');
          },
        },
      },
    };
    expect(make({ a: broken })).toThrow('The schema of the tool probe.a cannot be written as a JSON Schema: cannot');
  });

  it('or on "initialize", where zod has to be loaded first', async () => {
    const _zod = {
      get def(): never {
        throw new Error('broken');
      },
    };
    const broken = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) }, _zod };
    const tools = [tool('probe', 'd', { a: broken } as ToolSchema, () => text(''))];
    const { ask } = await openSession(lightServer({ tools }));
    for (const method of ['initialize', 'tools/list']) {
      expect(await ask(method, hello)).toMatchObject({
        error: {
          code: -32603,
          message: expect.stringContaining('The schema of the tool probe.a cannot be written as a JSON Schema'),
        },
      });
    }
  });

  it('a schema of zod 3', () => {
    expect(make({ a: zod3.z.string() })).toThrow(
      expect.objectContaining({ code: 'NOT_SUPPORTED_YET', message: expect.stringContaining('zod 3') }),
    );
  });
});

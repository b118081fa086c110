import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool, type ToolSchema } from '../src/index.ts';
import { hello, lightServer, openSession, text } from './client.ts';

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

  it('a JSON Schema that JSON would lose a part of', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    expect(make(cyclic)).toThrow('The schema of the tool probe cannot be written as JSON: ');
    expect(make({ type: 'object', default: new Map() })).toThrow(TypeError);
  });

  it.each<[unknown, string]>([
    [{ properties: { a: { type: 'text' } } }, '`#/properties/a/type` is "text", which is no type.'],
    [
      { properties: { a: { $ref: '#/$defs/b' } } },
      '`#/properties/a/$ref` points to #/$defs/b, which the schema does not',
    ],
    [{ properties: { a: { $ref: 'https://x.example/s' } } }, 'points to https://x.example/s, which'],
    [{ $defs: { b: { $ref: '#/$defs/b' } }, $ref: '#/$defs/b' }, 'points to itself'],
    [{ properties: { a: { pattern: '(' } } }, '`#/properties/a/pattern` is (, which is no regular expression.'],
    [{ patternProperties: { '(': true } }, '`#/patternProperties` has (, which is no regular expression.'],
    [{ required: 'a' }, '`#/required` must be a list of names.'],
    [{ properties: [] }, '`#/properties` must be an object of schemas.'],
    [{ anyOf: {} }, '`#/anyOf` must be a list of schemas.'],
    [{ properties: { a: { minimum: '1' } } }, '`#/properties/a/minimum` must be a number.'],
    [{ properties: { a: { enum: 'x' } } }, '`#/properties/a/enum` must be a list.'],
    [{ dependentRequired: [] }, '`#/dependentRequired` must be an object of lists.'],
  ])('a JSON Schema by which nothing can be checked: %j', (schema, message) => {
    expect(make({ type: 'object', ...(schema as object) })).toThrow(TypeError);
    expect(make({ type: 'object', ...(schema as object) })).toThrow(
      'The schema of the tool probe is no valid JSON Schema: ',
    );
    expect(make({ type: 'object', ...(schema as object) })).toThrow(message);
  });
});

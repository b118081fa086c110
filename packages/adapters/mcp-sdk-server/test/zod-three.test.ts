import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import type { ToolSchema } from '../src/index.ts';
import { attempt } from './attempt.ts';

const shape = {
  city: z.string().describe('A place'),
  days: z.number().int().optional(),
  unit: z.enum(['C', 'F']).default('C'),
  size: z.string().transform((text) => text.length),
  near: z.tuple([z.number(), z.number()]).optional(),
};

describe.each<[string, ToolSchema]>([
  ['a shape', shape],
  ['an object', z.object(shape)],
])('#45 A schema of zod 3: %s', (_, schema) => {
  it('is listed with descriptions, defaults, required fields and tuples of 2020-12', async () => {
    const { schema: listed } = await attempt(schema);
    expect(listed).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'A place' },
        days: { type: 'integer' },
        unit: { enum: ['C', 'F'], default: 'C' },
        near: { prefixItems: [{ type: 'number' }, { type: 'number' }] },
      },
      required: ['city', 'size'],
    });
  });

  it('gives the handler parsed arguments, with defaults and transforms', async () => {
    const { parse } = await attempt(schema);
    expect(await parse({ city: 'Bern', size: 'four' })).toStrictEqual({ city: 'Bern', unit: 'C', size: 4 });
  });

  it('keeps wrong arguments from the handler: the model reads which field is wrong and why', async () => {
    const { refusal } = await attempt(schema);
    const words = await refusal({ size: 5 });
    expect(words).toContain('- city: Required');
    expect(words).toContain('- size: Expected string, received number');
  });
});

describe('A schema of zod 3', () => {
  it('may check asynchronously, also a field that may be missing', async () => {
    const yes = z
      .string()
      .optional()
      .refine(async (text) => text !== 'no', 'say yes');
    const { parse, refusal } = await attempt({ yes });
    expect(await refusal({ yes: 'no' })).toContain('- yes: say yes');
    expect(await parse({})).toStrictEqual({});
  });

  it('that is not an object is refused when the tools are listed', async () => {
    await expect(attempt(z.string())).rejects.toThrow("describes a string; a tool's arguments are an object.");
  });

  it('is refused with the remedy where zod-to-json-schema is not installed', async () => {
    const fixture = fileURLToPath(new URL('fixtures/without-converter.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', fixture]);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        message: expect.stringMatching(
          /The schema of the tool t\.a is a schema of zod 3.*`zod\/v4`, which zod 3\.25 has/s,
        ),
      },
    });
  });
});

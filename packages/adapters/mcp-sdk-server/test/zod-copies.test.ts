import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type * as Mini from 'zod/mini';
import { attempt } from './attempt.ts';

let folder: string;
let other: typeof z;
let otherMini: typeof Mini;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zod-copy-'));
  const copy = path.join(folder, 'node_modules', 'zod');
  await cp(path.dirname(fileURLToPath(import.meta.resolve('zod'))), copy, { recursive: true });
  const load = async (file: string): Promise<unknown> =>
    await import(/* @vite-ignore */ pathToFileURL(path.join(copy, file)).href);
  ({ z: other } = (await load('index.js')) as { readonly z: typeof z });
  otherMini = (await load('mini/index.js')) as typeof Mini;
});

afterAll(async () => await rm(folder, { recursive: true }));

describe('#45 Two copies of zod in one tree', () => {
  it('are two copies', () => {
    expect(other.ZodString).not.toBe(z.ZodString);
  });

  it('do not matter, not even within one shape', async () => {
    const { schema, parse, refusal } = await attempt({
      a: other.string().describe('From the other'),
      b: z.number().default(1),
      c: otherMini.optional(otherMini.string()),
    });
    expect(schema).toMatchObject({
      properties: {
        a: { type: 'string', description: 'From the other' },
        b: { type: 'number' },
        c: { type: 'string' },
      },
      required: ['a'],
    });
    expect(await refusal({ a: 1 })).toContain('- a: Invalid input: expected string, received number');
    expect(await parse({ a: 'x' })).toEqual({ a: 'x', b: 1 });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as three } from 'zod/v3';
import type { StandardSchema, ToolSchema } from '../src/index.ts';
import { attempt } from './attempt.ts';

let runs = 0;
/** As a look into a database that is not there. */
const failing = async (): Promise<never> => {
  runs += 1;
  throw new Error('no database');
};

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  runs = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  unhandled.length = 0;
});

const word = z.string().refine(failing);
const list: z.ZodType = z.object({ word, next: z.lazy(() => list).optional() });
const cases: readonly (readonly [string, ToolSchema, unknown])[] = [
  ['a field', { a: word }, 'x'],
  ['an optional field', { a: word.optional() }, 'x'],
  ['a list of objects', { a: z.array(z.object({ word })) }, [{ word: 'x' }]],
  ['a union', { a: z.union([z.number(), word]) }, 'x'],
  ['a tuple', { a: z.tuple([z.number()], word) }, [1, 'x']],
  ['a record', { a: z.record(z.string(), word) }, { b: 'x' }],
  ['a schema that contains itself', { a: list }, { word: 'x' }],
  ['unknown fields', { a: z.object({}).catchall(word) }, { b: 'x' }],
  ['an object as the whole', z.object({ a: word }), 'x'],
  ['an object as the whole, across its fields', z.object({ a: z.string() }).refine(failing), 'x'],
  ['a transform', { a: z.string().transform(failing) }, 'x'],
  ['a preprocessing', { a: z.preprocess(failing, z.string()) }, 'x'],
  ['a schema of its own', { a: z.custom(failing) }, 'x'],
  ['zod/mini', { a: mini.string().check(mini.refine(failing)) }, 'x'],
  ['an object of zod/mini', mini.object({ a: mini.string().check(mini.refine(failing)) }), 'x'],
  ['zod 3', { a: three.string().refine(failing) }, 'x'],
  ['an object of zod 3', three.object({ a: three.string().transform(failing) }), 'x'],
];

describe('A check that is waited for and rejects', () => {
  it.each(cases)('runs once and is the reason of the refusal: in %s', async (_, schema, a) => {
    const { refusal } = await attempt(schema);
    expect(await refusal({ a })).toBe('no database');
    expect(runs).toBe(1);
    // What is unhandled is reported once all microtasks have run.
    await new Promise((resolve) => void setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  it('is not left behind by the validator of another field, which throws', async () => {
    const throwing: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'odd',
        validate() {
          throw new Error('cannot judge');
        },
        jsonSchema: { input: () => ({}) },
      },
    };
    const { refusal } = await attempt({ a: word, b: throwing });
    expect(await refusal({ a: 'x', b: 1 })).toMatch(/no database|cannot judge/);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

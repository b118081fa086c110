import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leakCheck } from '@hexagent/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { inMemory, type Kind } from './in-memory.ts';
import { real } from './real.ts';

const all = Object.entries(inMemory);
const signal = new AbortController().signal;
const before = { tmp: process.env['TMPDIR'], folder: '' };

// Temporary files go into a folder of this test, so that the check sees all of ours and no others.
beforeAll(async () => {
  before.folder = await mkdtemp(join(tmpdir(), 'hexagent-soak-'));
  process.env['TMPDIR'] = before.folder;
});

afterAll(async () => {
  if (before.tmp === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before.tmp;
  await rm(before.folder, { recursive: true, force: true });
});

/** Runs `count` sessions, of each kind in turn, with this concurrency. What the first one sets up once is not a leak. */
async function soak(
  kinds: readonly [string, Kind][],
  { count, atOnce }: { count: number; atOnce: number },
): Promise<void> {
  for (const [, kind] of kinds) await kind(signal);
  const leaks = leakCheck({ signals: [signal], temporaryPrefix: '' });
  const queue = Array.from({ length: count }, (_, index) => kinds[index % kinds.length]);
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, kind] = next;
      await kind(signal).catch((error: unknown) => {
        throw new Error(`The session "${name}" went wrong.`, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await leaks.verify();
  expect(await readdir(before.folder)).toEqual([]);
}

describe('200 mixed sessions leave no child, handle, listener or temporary file', () => {
  it('#14 176 with an agent in this process', async () => {
    await soak(all, { count: 176, atOnce: 8 });
  });

  withCli('and', () => {
    it('#14 24 with the real CLI', { timeout: 300_000 }, async () => {
      await soak(Object.entries(real), { count: 24, atOnce: 2 });
    });
  });
});

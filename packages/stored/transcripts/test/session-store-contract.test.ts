import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionStoreContract } from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { foldSessionSummary } from '../src/index.ts';
import { FileSessionStore } from './file-session-store.ts';
import { brokenBy, spoiled, whole } from './spoiled-store.ts';
import { storingFaults } from './storing-faults.ts';
import { listingFaults } from './listing-faults.ts';

describe('A store of files', () => {
  sessionStoreContract(
    { describe, it },
    {
      async open() {
        const folder = await mkdtemp(join(tmpdir(), 'store-'));
        return {
          store: new FileSessionStore(folder),
          reopen: async () => new FileSessionStore(folder),
          close: () => rm(folder, { recursive: true, force: true }),
        };
      },
      has: { ...whole, reopen: true },
      fold: foldSessionSummary,
    },
  );
});

describe('The SessionStore contract', () => {
  const faults = [...storingFaults, ...listingFaults];

  it.each(faults)('fails a store that %s', async (_, fixture, promise) => {
    expect(await brokenBy(fixture)).toContain(promise);
  });

  it('has a fault for each promise', async () => {
    const promises: string[] = [];
    const it = Object.assign((name: string): unknown => promises.push(name), { skip: () => {} });
    sessionStoreContract(
      { describe: (_, body) => body(), it },
      spoiled(() => ({})),
    );
    expect(promises.filter((name) => !faults.some(([, , promise]) => promise === name))).toEqual([]);
    expect(await brokenBy(spoiled(() => ({})))).toEqual([]);
  });
});

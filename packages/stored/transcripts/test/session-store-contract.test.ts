import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plantedFaults, sessionStoreContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { foldSessionSummary } from '../src/index.ts';
import { FileSessionStore } from './file-session-store.ts';
import { spoiled, whole } from './spoiled-store.ts';
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
  plantedFaults(
    { it },
    { suite: sessionStoreContract, kept: spoiled(() => ({})), faults: [...storingFaults, ...listingFaults] },
  );
});

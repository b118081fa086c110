import { SdkError, type SessionDirectory } from '@hexagent/ports';
import { plantedFaults, sessionDirectoryContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryDirectory } from '../src/index.ts';
import { stores, type Fault, type Planted } from './faulty-stores.ts';

const faults: readonly Fault<SessionDirectory>[] = [
  [
    'loses facts that are nested',
    (kept) => ({
      put: (record, fence) => {
        const { nested: _, ...facts } = record.facts;
        return kept.put({ ...record, facts }, fence);
      },
    }),
    'returns a record as it was put',
  ],
  [
    'has a record for any id',
    (kept) => ({ get: async (id) => (await kept.get(id)) ?? (await kept.list())[0] }),
    ['has no record for an id that was never put', 'takes a record away, and nothing else'],
  ],
  [
    'ignores the case of ids',
    (kept) => ({ get: (id) => kept.get(id.toLowerCase()) }),
    'distinguishes ids that differ in case, or are part of each other',
  ],
  [
    'keeps old facts',
    (kept) => ({
      async put(record, fence) {
        const before = await kept.get(record.id);
        await kept.put({ ...record, facts: { ...before?.facts, ...record.facts } }, fence);
      },
    }),
    'replaces the record of the same id',
  ],
  [
    'ignores the tenant',
    (kept) => ({ list: (query) => kept.list({ ...query, tenant: undefined }) }),
    [
      'lists the records of one tenant',
      'lists the records of some ids, in the order of the list, and leaves out what is not there',
      'lists a page, and the page behind a record: each record once, also those of one time',
    ],
  ],
  [
    'ignores the length of a page of some ids',
    (kept) => ({ list: (query) => kept.list(query?.ids ? { ...query, limit: undefined } : query) }),
    'lists the records of some ids, in the order of the list, and leaves out what is not there',
  ],
  [
    'lists the last used last',
    (kept) => ({ list: async (query) => (await kept.list(query)).toReversed() }),
    [
      'lists the records of some ids, in the order of the list, and leaves out what is not there',
      'lists the last used first',
      'lists a page, and the page behind a record: each record once, also those of one time',
      'lists what is behind a record that was used, or taken away, since',
    ],
  ],
  [
    'begins each page with the first record',
    (kept) => ({ list: (query) => kept.list({ ...query, before: undefined }) }),
    [
      'lists a page, and the page behind a record: each record once, also those of one time',
      'lists what is behind a record that was used, or taken away, since',
    ],
  ],
  [
    'ignores the length of a page',
    (kept) => ({ list: (query) => kept.list({ ...query, limit: undefined }) }),
    [
      'lists the records of some ids, in the order of the list, and leaves out what is not there',
      'lists a page, and the page behind a record: each record once, also those of one time',
      'lists what is behind a record that was used, or taken away, since',
    ],
  ],
  [
    'leaves out what was used at the same time',
    (kept) => ({
      list: async (query) => {
        const page = await kept.list(query);
        return page.filter(({ updatedAt }) => query?.before === undefined || updatedAt < query.before.updatedAt);
      },
    }),
    'lists a page, and the page behind a record: each record once, also those of one time',
  ],
  [
    'lists nothing behind a record that is not there',
    (kept) => ({
      list: async (query) =>
        query?.before && (await kept.get(query.before.id)) === undefined ? [] : await kept.list(query),
    }),
    'lists what is behind a record that was used, or taken away, since',
  ],
  [
    'deletes nothing',
    () => ({ delete: async () => {} }),
    [
      'lists what is behind a record that was used, or taken away, since',
      'takes a record away, and nothing else',
      'refuses a write under a lower fence than before, and stores nothing of it',
      'refuses a lower fence also after the record was taken away',
      'has everything after it was opened again',
    ],
  ],
  [
    'ignores the fence',
    (kept) => ({ put: (record) => kept.put(record, 1e9) }),
    [
      'lists what is behind a record that was used, or taken away, since',
      'takes a record away, and nothing else',
      'refuses a write under a lower fence than before, and stores nothing of it',
      'refuses a lower fence also after the record was taken away',
      'has everything after it was opened again',
      'refuses a lower fence also where another store was given the higher one',
    ],
  ],
  [
    'takes a write to what was taken away without an error',
    (kept) => ({
      async put(record, fence) {
        const isThere = (await kept.get(record.id)) !== undefined;
        await kept.put(record, fence).catch((error: unknown) => {
          if (isThere || !SdkError.is(error)) throw error;
        });
      },
    }),
    'refuses a lower fence also after the record was taken away',
  ],
  [
    'has nothing after it was opened again',
    { restarted: () => ({ list: async () => [] }) },
    'has everything after it was opened again',
  ],
  [
    'does not store the fence',
    { restarted: (kept) => ({ put: (record) => kept.put(record, 1) }) },
    'refuses a lower fence also where another store was given the higher one',
  ],
];

describe('The contract of a directory', () => {
  plantedFaults<Planted<SessionDirectory>>(
    { it },
    {
      suite: (runner, planted) =>
        sessionDirectoryContract(
          runner,
          stores(() => new MemoryDirectory(), planted),
        ),
      kept: {},
      faults,
    },
  );
});

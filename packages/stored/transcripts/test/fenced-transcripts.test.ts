import type { SessionStore, TranscriptsOf } from '@hexagent/ports';
import { fencedTranscripts } from '@hexagent/testing';
import {
  plantedFaults,
  transcriptsContract,
  withFault,
  type OpenedHostingStore,
  type PlantedFault,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { InMemorySessionStore } from '../src/index.ts';

const fenced = (): TranscriptsOf => fencedTranscripts(new InMemorySessionStore());

describe('Stores in memory that are made for each lease', () => {
  transcriptsContract({ describe, it }, { isDurable: false, open: () => ({ store: fenced() }) });

  it('are over one store, with every method of it', async () => {
    const kept = new InMemorySessionStore();
    const store = fencedTranscripts(kept)({ session: 'a', fence: 1 });
    const key = { projectKey: '-work', sessionId: '11111111-2222-4333-8444-555555555555' };
    await store.append(key, [{ type: 'user', uuid: 'u1' }]);
    expect(kept.getEntries(key)).toEqual([{ type: 'user', uuid: 'u1' }]);
    expect(await store.listSessions?.('-work')).toMatchObject([{ sessionId: key.sessionId }]);
    await store.delete?.(key);
    expect(await store.load(key)).toBeNull();
  });
});

const faults: readonly PlantedFault<() => TranscriptsOf>[] = [
  [
    'knows no fences',
    () => {
      const store = new InMemorySessionStore();
      return () => store;
    },
    [
      'refuse lines under a lower fence than before, and store none of them',
      'refuse them in every transcript of the session, also under another id of the agent',
      'refuse them once the session was loaded under a newer lease: what is resumed is whole',
      'refuse to delete under a lower fence, where they can delete',
      'refuse nothing to one that reads under an old lease, or without one',
      'store a line without a lease, such as a title',
      'refuse the lines of all but the newest of many that write at the same time',
      'refuse a lower fence also where another process was given the higher one',
    ],
  ],
  [
    'stores what it refuses',
    () => {
      const store = new InMemorySessionStore();
      const storeOf = fencedTranscripts(store);
      return (lease) => ({
        load: (key) => storeOf(lease).load(key),
        async append(key, entries) {
          await store.append(key, entries);
          await storeOf(lease).append(key, []);
        },
      });
    },
    [
      'refuse lines under a lower fence than before, and store none of them',
      'refuse them in every transcript of the session, also under another id of the agent',
      'refuse them once the session was loaded under a newer lease: what is resumed is whole',
      'store a line without a lease, such as a title',
      'refuse a lower fence also where another process was given the higher one',
    ],
  ],
  [
    'keeps a fence for each transcript',
    () => {
      const stores = new Map<string, SessionStore>();
      const kept = new InMemorySessionStore();
      const storeOf = fencedTranscripts(kept);
      return ({ session, fence }) => {
        const of = (key: object): SessionStore => {
          const name = JSON.stringify([session, fence, key]);
          const store = stores.get(name) ?? storeOf({ session: JSON.stringify([session, key]), fence });
          stores.set(name, store);
          return store;
        };
        return { load: (key) => of(key).load(key), append: (key, entries) => of(key).append(key, entries) };
      };
    },
    'refuse them in every transcript of the session, also under another id of the agent',
  ],
  [
    'sees a fence with the first line',
    () => {
      const storeOf = fenced();
      return (lease) => ({
        load: (key) => storeOf({ session: lease.session }).load(key),
        append: (key, entries) => storeOf(lease).append(key, entries),
      });
    },
    'refuse them once the session was loaded under a newer lease: what is resumed is whole',
  ],
  [
    'deletes under any lease',
    () => {
      const storeOf = fenced();
      return (lease) => ({
        load: (key) => storeOf(lease).load(key),
        append: (key, entries) => storeOf(lease).append(key, entries),
        delete: async (key) => await storeOf({ session: lease.session }).delete?.(key),
      });
    },
    'refuse to delete under a lower fence, where they can delete',
  ],
  [
    'has one fence for all sessions',
    () => {
      const storeOf = fenced();
      return ({ fence }) => storeOf({ session: 'all', fence });
    },
    'leave other sessions alone',
  ],
  [
    'takes no line without a lease',
    () => {
      const storeOf = fenced();
      return ({ session, fence = 0 }) => storeOf({ session, fence });
    },
    ['refuse to delete under a lower fence, where they can delete', 'store a line without a lease, such as a title'],
  ],
  [
    'has the lines of a lease for that lease',
    () => {
      const stores = new Map<number | undefined, TranscriptsOf>();
      return ({ session, fence }) => {
        const storeOf = stores.get(fence) ?? fenced();
        stores.set(fence, storeOf);
        return storeOf({ session, fence });
      };
    },
    [
      'store what is appended under a lease, for all who load it',
      'refuse lines under a lower fence than before, and store none of them',
      'refuse them in every transcript of the session, also under another id of the agent',
      'refuse them once the session was loaded under a newer lease: what is resumed is whole',
      'refuse to delete under a lower fence, where they can delete',
      'refuse nothing to one that reads under an old lease, or without one',
      'store a line without a lease, such as a title',
      'refuse the lines of all but the newest of many that write at the same time',
      'refuse a lower fence also where another process was given the higher one',
    ],
  ],
  [
    'lets none read under an old lease',
    () => {
      const storeOf = fenced();
      return (lease) =>
        withFault(storeOf(lease), (kept) => ({
          async load(key) {
            await kept.append(key, []);
            return await kept.load(key);
          },
        }));
    },
    [
      'store what is appended under a lease, for all who load it',
      'refuse them in every transcript of the session, also under another id of the agent',
      'refuse them once the session was loaded under a newer lease: what is resumed is whole',
      'refuse to delete under a lower fence, where they can delete',
      'refuse nothing to one that reads under an old lease, or without one',
    ],
  ],
];

describe('The contract of transcripts', () => {
  plantedFaults(
    { it },
    {
      suite(runner, make) {
        const open = (): OpenedHostingStore<TranscriptsOf> => {
          const store = make();
          return { store, reopen: () => store };
        };
        transcriptsContract(runner, { isDurable: true, open });
      },
      kept: fenced,
      faults,
    },
  );
});

import type { SessionStore, TranscriptsOf } from '@hexagent/ports';
import { fencedTranscripts } from '@hexagent/testing';
import { transcriptsContract, type Case } from '@hexagent/testing/contracts';
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

/** Each with the promise that it breaks. */
const faults: Readonly<Record<string, readonly [make: () => TranscriptsOf, promise: string]>> = {
  'knows no fences': [
    () => {
      const store = new InMemorySessionStore();
      return () => store;
    },
    'refuse lines under a lower fence than before, and store none of them',
  ],
  'stores what it refuses': [
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
    'refuse lines under a lower fence than before, and store none of them',
  ],
  'keeps a fence for each transcript': [
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
  'sees a fence with the first line': [
    () => {
      const storeOf = fenced();
      return (lease) => ({
        load: (key) => storeOf({ session: lease.session }).load(key),
        append: (key, entries) => storeOf(lease).append(key, entries),
      });
    },
    'refuse them once the session was loaded under a newer lease: what is resumed is whole',
  ],
  'deletes under any lease': [
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
  'has one fence for all sessions': [
    () => {
      const storeOf = fenced();
      return ({ fence }) => storeOf({ session: 'all', fence });
    },
    'leave other sessions alone',
  ],
  'takes no line without a lease': [
    () => {
      const storeOf = fenced();
      return ({ session, fence = 0 }) => storeOf({ session, fence });
    },
    'store a line without a lease, such as a title',
  ],
};

describe('The contract of transcripts', () => {
  it.each(Object.entries(faults))('finds one that %s', async (_, [make, promise]) => {
    const cases: [string, () => Promise<void>][] = [];
    const collect: Case = (name, body) => cases.push([name, body]);
    const runner = {
      describe: (__: string, body: () => void) => body(),
      it: Object.assign(collect, { skip: () => {} }),
    };
    transcriptsContract(runner, { isDurable: false, open: () => ({ store: make() }) });
    const failed = await Promise.all(
      cases.map(([name, body]) =>
        body().then(
          () => [],
          () => [name],
        ),
      ),
    );
    expect(failed.flat()).toContain(promise);
  });
});

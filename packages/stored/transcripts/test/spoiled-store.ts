import type { SessionKey, SessionStore, SessionStoreEntry } from '@hexagent/ports';
import { brokenPromises, sessionStoreContract, type SessionStoreFixture } from '@hexagent/testing/contracts';
import { foldSessionSummary, InMemorySessionStore } from '../src/index.ts';

/** Everything that a store may offer. */
export const whole = { listSessions: true, listSessionSummaries: true, delete: true, listSubkeys: true };

type Full = Required<SessionStore>;
type Change = (store: InMemorySessionStore) => Partial<Full>;

/** A store that keeps every promise but what the change spoils. */
export function spoiled(change: Change, reopen?: (store: SessionStore) => SessionStore): SessionStoreFixture {
  return {
    open() {
      const kept = new InMemorySessionStore();
      const store: Full = {
        append: (key, entries) => kept.append(key, entries),
        load: (key) => kept.load(key),
        listSessions: (project) => kept.listSessions(project),
        listSessionSummaries: (project) => kept.listSessionSummaries(project),
        delete: (key) => kept.delete(key),
        listSubkeys: (key) => kept.listSubkeys(key),
        ...change(kept),
      };
      return { store, reopen: async () => reopen?.(store) ?? store };
    },
    has: { ...whole, reopen: true },
    fold: foldSessionSummary,
  };
}

export const brokenBy = (fixture: SessionStoreFixture): Promise<readonly string[]> =>
  brokenPromises((runner) => sessionStoreContract(runner, fixture));

let stamp = 0;
/** So that it is stored although it was stored before. */
export const anew = (entry: SessionStoreEntry): SessionStoreEntry => ({
  ...entry,
  uuid: `${entry.uuid} ${(stamp += 1)}`,
});
/** A plain list for each transcript, without a copy of anything. */
export function plainLists(): Pick<Full, 'append' | 'load'> {
  const lists = new Map<string, SessionStoreEntry[]>();
  const listOf = (key: SessionKey): SessionStoreEntry[] => lists.get(JSON.stringify(key)) ?? [];
  return {
    async append(key, entries) {
      const stored = listOf(key);
      stored.push(...entries.filter(({ uuid }) => uuid === undefined || !stored.some((other) => other.uuid === uuid)));
      lists.set(JSON.stringify(key), stored);
    },
    load: async (key) => lists.get(JSON.stringify(key)) ?? null,
  };
}
export const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
export const withoutSubpath = ({ projectKey, sessionId }: SessionKey): SessionKey => ({ projectKey, sessionId });

/** What a store does wrong, the store, and the promise of the contract that it breaks. */
export type StoreFault = readonly [what: string, store: SessionStoreFixture, promise: string];

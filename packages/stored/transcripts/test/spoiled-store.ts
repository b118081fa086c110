import type { SessionKey, SessionStore, SessionStoreEntry } from '@hexagent/ports';
import { withFault, type PlantedFault, type SessionStoreFixture } from '@hexagent/testing/contracts';
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
      const store = withFault<Full>(kept, () => change(kept));
      return { store, reopen: async () => reopen?.(store) ?? store };
    },
    has: { ...whole, reopen: true },
    fold: foldSessionSummary,
  };
}

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

export type StoreFault = PlantedFault<SessionStoreFixture>;

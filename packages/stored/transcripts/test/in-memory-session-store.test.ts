import type { SessionStoreEntry } from '@hexagent/ports';
import { sessionStoreContract } from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { foldSessionSummary, InMemorySessionStore } from '../src/index.ts';

const key = { projectKey: '-work', sessionId: '11111111-2222-4333-8444-555555555555' };
const user = (uuid: string, content = uuid): SessionStoreEntry => ({ type: 'user', uuid, message: { content } });

describe('InMemorySessionStore', () => {
  sessionStoreContract(
    { describe, it },
    {
      open: () => ({ store: new InMemorySessionStore() }),
      has: { listSessions: true, listSessionSummaries: true, delete: true, listSubkeys: true },
      fold: foldSessionSummary,
    },
  );

  it('orders writes by their times, although the clock stands still or goes back', async () => {
    const times = [1000, 1000, 400.5, 5000.7];
    const store = new InMemorySessionStore({ clock: { now: () => times.shift() ?? 0 } });
    for (const sessionId of ['a', 'b', 'c', 'd']) await store.append({ ...key, sessionId }, [user('u')]);
    expect((await store.listSessions(key.projectKey)).map(({ mtime }) => mtime)).toEqual([1000, 1001, 1002, 5000]);
  });

  it('counts sessions, and not what belongs to them', async () => {
    const store = new InMemorySessionStore();
    await store.append({ ...key, subpath: 'subagents/agent-a' }, [user('a')]);
    expect(store.size).toBe(0);
    await store.append(key, [user('a')]);
    expect(store.size).toBe(1);
    store.clear();
    expect(store.size).toBe(0);
    expect(await store.load(key)).toBeNull();
  });

  it('shows the entries of a transcript, none of one that was never written', async () => {
    const store = new InMemorySessionStore();
    expect(store.getEntries(key)).toEqual([]);
    await store.append(key, [user('a')]);
    store.getEntries(key).pop();
    expect(store.getEntries(key)).toEqual([user('a')]);
  });

  it('stores an entry that is not an object beside the others, and loses none of them', async () => {
    const store = new InMemorySessionStore();
    await store.append(key, [user('a')]);
    const odd = [user('b'), null, 5, user('c')] as unknown as SessionStoreEntry[];
    await store.append(key, odd);
    expect(await store.load(key)).toEqual([user('a'), ...odd]);
  });

  it('stores nothing of entries that are not a list, or cannot be copied', async () => {
    const store = new InMemorySessionStore();
    // Programs without types pass anything.
    const odd = [{}, undefined, [user('a'), { type: 'x', call: () => {} }]] as unknown as SessionStoreEntry[][];
    for (const entries of odd)
      await expect(store.append(key, entries)).rejects.toThrow(/must be a list|could not be cloned/);
    expect(await store.load(key)).toBeNull();
  });
});

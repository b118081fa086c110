import type { SessionKey, SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { sdks, sides, type Sdk } from './sdks.ts';

type Store = InstanceType<Sdk['InMemorySessionStore']>;
type Step = (store: Store) => unknown;

const key: SessionKey = { projectKey: 'p', sessionId: 's' };
const sub: SessionKey = { ...key, subpath: 'subagents/agent-a' };
const user = (uuid: string, text = uuid): SessionStoreEntry => ({ type: 'user', uuid, message: { content: text } });

/** Times differ from run to run. */
const timeless = (list: readonly { sessionId: string; mtime: number }[]): unknown =>
  list
    .map(({ mtime, ...others }) => ({ ...others, mtime: typeof mtime }))
    .toSorted((one, two) => (one.sessionId < two.sessionId ? -1 : 1));

async function shownBy(sdk: Sdk, steps: readonly Step[]): Promise<unknown[]> {
  const store = new sdk.InMemorySessionStore();
  const shown: unknown[] = [];
  for (const step of steps) shown.push(await step(store));
  shown.push(
    store.size,
    await store.load(key),
    await store.load(sub),
    store.getEntries(key),
    await store.listSubkeys(key),
  );
  shown.push(timeless(await store.listSessions('p')), timeless(await store.listSessionSummaries('p')));
  return shown;
}

async function bothOf(steps: readonly Step[]): Promise<{ official: unknown[]; ours: unknown[] }> {
  return { official: await shownBy(await sdks.official(), steps), ours: await shownBy(await sdks.ours(), steps) };
}

const alike: Readonly<Record<string, readonly Step[]>> = {
  'nothing was stored': [],
  'an empty list was stored': [(store) => store.append(key, [])],
  'entries were stored': [
    (store) => store.append(key, [user('a'), user('b')]),
    (store) => store.append(key, [user('c')]),
  ],
  'entries have no uuid': [
    (store) =>
      store.append(key, [
        { type: 'tag', tag: 'x' },
        { type: 'tag', tag: 'x' },
      ]),
  ],
  'only a subagent wrote': [(store) => store.append(sub, [user('a')])],
  'the session and its subagent wrote': [
    (store) => store.append(key, [user('a')]),
    (store) => store.append(sub, [user('b')]),
  ],
  'a subagent was deleted': [
    (store) => store.append(key, [user('a')]),
    (store) => store.append(sub, [user('b')]),
    (store) => store.delete(sub),
  ],
  'a session was deleted': [
    (store) => store.append(key, [user('a')]),
    (store) => store.append(sub, [user('b')]),
    (store) => store.append({ ...key, sessionId: 't' }, [user('c')]),
    (store) => store.delete(key),
  ],
  'a session was stored anew': [
    (store) => store.append(key, [{ type: 'custom-title', customTitle: 'Old' }]),
    (store) => store.delete(key),
    (store) => store.append(key, [user('a')]),
  ],
  'nothing was there to delete': [(store) => store.delete(key)],
  'everything was cleared': [(store) => store.append(key, [user('a')]), (store) => store.clear()],
};

describe('InMemorySessionStore', () => {
  it.each(Object.entries(alike))('shows what the official one shows when %s', async (_, steps) => {
    const { official, ours } = await bothOf(steps);
    expect(ours).toEqual(official);
  });

  it('stores an entry once that is appended twice, and the official one twice', async () => {
    const { official, ours } = await bothOf([
      (store) => store.append(key, [user('a')]),
      (store) => store.append(key, [user('a')]),
    ]);
    expect(ours).toContainEqual([user('a')]);
    expect(official).toContainEqual([user('a'), user('a')]);
  });

  it('keeps what it was given when the caller changes that, and the official one does not', async () => {
    for (const side of sides) {
      const given = user('a');
      const store = new (await sdks[side]()).InMemorySessionStore();
      await store.append(key, [given]);
      given['changed'] = true;
      const [stored] = store.getEntries(key);
      expect('changed' in (stored ?? {})).toBe(side === 'official');
    }
  });
});

import type { SessionKey, SessionStore, SessionStoreEntry, Warning } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { InMemorySessionStore, restoreSession, type RestoreOptions } from '../src/index.ts';

const [id, newer] = ['11111111-2222-4333-8444-555555555555', '22222222-3333-4444-8555-666666666666'] as const;
const projectKey = '-work';
const main = { projectKey, sessionId: id };
const sub = { ...main, subpath: 'subagents/agent-a' };
const entry = (uuid: string): SessionStoreEntry => ({ type: 'user', uuid });

function restore(store: Partial<SessionStore>, options: Partial<RestoreOptions> = {}) {
  const warnings: Warning[] = [];
  const whole = { append: async () => {}, load: async () => null, ...store };
  const restored = restoreSession({
    store: whole,
    projectKey,
    timeoutMs: 1000,
    clock: new HandClock(),
    warn: (warning) => void warnings.push(warning),
    ...options,
  });
  restored.catch(() => {});
  return { restored, warnings };
}

/** What the agent finds, by path. */
async function filesOf(...given: Parameters<typeof restore>): Promise<Record<string, readonly unknown[]>> {
  const { files = [] } = (await restore(...given).restored) ?? {};
  return Object.fromEntries(files.map(({ path, lines }) => [path, [...lines].map((line) => JSON.parse(line))]));
}

const over = (store: SessionStore): SessionStore => ({
  append: (key, entries) => store.append(key, entries),
  load: (key) => store.load(key),
  listSessions: async (key) => (await store.listSessions?.(key)) ?? [],
  listSubkeys: async (key) => (await store.listSubkeys?.(key)) ?? [],
});

describe('A session that is resumed from a store', () => {
  it('#12 is loaded with what belongs to it, each transcript as a file', async () => {
    const store = new InMemorySessionStore();
    await store.append(main, [entry('a'), entry('b')]);
    await store.append(sub, [entry('c')]);
    expect(await filesOf(over(store), { sessionId: id })).toEqual({
      [`projects/-work/${id}.jsonl`]: [entry('a'), entry('b')],
      [`projects/-work/${id}/subagents/agent-a.jsonl`]: [entry('c')],
    });
  });

  it('has the metadata of a subagent in a file of its own: the newest that was stored', async () => {
    const store = new InMemorySessionStore();
    await store.append(main, [entry('a')]);
    const known = { type: 'agent_metadata', agentType: 'general' };
    await store.append(sub, [known, entry('c'), { ...known, finished: true }]);
    expect(await filesOf(over(store), { sessionId: id })).toMatchObject({
      [`projects/-work/${id}/subagents/agent-a.jsonl`]: [entry('c')],
      [`projects/-work/${id}/subagents/agent-a.meta.json`]: [{ agentType: 'general', finished: true }],
    });
  });

  it('is the one that was written last where none is named', async () => {
    const sessions = [
      { sessionId: id, mtime: 1 },
      { sessionId: newer, mtime: 9 },
      { sessionId: '../not/a/session', mtime: 99 },
    ];
    const store = { listSessions: async () => sessions, load: async () => [entry('a')] };
    expect((await restore(store).restored)?.sessionId).toBe(newer);
    expect(await restore({ ...store, listSessions: async () => [] }).restored).toBeUndefined();
  });

  it.each<[string, () => Promise<SessionStoreEntry[] | null>]>([
    ['nothing', async () => null],
    ['an empty list', async () => []],
  ])('is none where the store has %s', async (_, load) => {
    expect(await restore({ load }, { sessionId: id }).restored).toBeUndefined();
  });

  it.each(['my-title', '../../etc', `${id}/..`, ''])(
    'is not looked for under a name that is no id: %j',
    async (sessionId) => {
      const asked: SessionKey[] = [];
      const load = async (key: SessionKey): Promise<SessionStoreEntry[]> => (asked.push(key), [entry('a')]);
      expect(await restore({ load }, { sessionId }).restored).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );

  it('has no file that leads out of its folder, whatever the store lists', async () => {
    const evil = [
      '../evil',
      '/abs',
      'subagents/../../x',
      '',
      '.',
      'a\\..\\b',
      'nul\0x',
      'a//b',
      5,
      null,
      undefined,
      {},
    ];
    const listSubkeys = async (): Promise<string[]> => [...evil, 'subagents/fine'] as string[];
    const given = restore({ listSubkeys, load: async () => [entry('a')] }, { sessionId: id });
    expect((await given.restored)?.files.map(({ path }) => path)).toEqual([
      `projects/-work/${id}.jsonl`,
      `projects/-work/${id}/subagents/fine.jsonl`,
    ]);
    expect(given.warnings).toMatchObject([
      { code: 'HEXAGENT_NOT_STORED', message: expect.stringContaining('12 of 13') },
    ]);
  });

  it('has one file of a transcript that the store lists more than once', async () => {
    const listSubkeys = async () => ['subagents/a', 'subagents/a', 'subagents/b', 'subagents/a'];
    const given = restore({ listSubkeys, load: async () => [entry('a')] }, { sessionId: id });
    expect((await given.restored)?.files.map(({ path }) => path)).toEqual([
      `projects/-work/${id}.jsonl`,
      `projects/-work/${id}/subagents/a.jsonl`,
      `projects/-work/${id}/subagents/b.jsonl`,
    ]);
    expect(given.warnings).toEqual([]);
  });

  it('leaves out what the store lists and does not have', async () => {
    const load = async ({ subpath }: SessionKey): Promise<SessionStoreEntry[] | null> =>
      subpath === undefined ? [entry('a')] : null;
    const files = await filesOf({ load, listSubkeys: async () => ['subagents/gone'] }, { sessionId: id });
    expect(Object.keys(files)).toEqual([`projects/-work/${id}.jsonl`]);
  });

  it.each<[string, Partial<SessionStore>, Partial<RestoreOptions>]>([
    ['load', { load: () => Promise.reject(new Error('no database')) }, { sessionId: id }],
    [
      'load, at once',
      {
        load: () => {
          throw new Error('no database');
        },
      },
      { sessionId: id },
    ],
    ['listSessions', { listSessions: () => Promise.reject(new Error('no database')) }, {}],
    [
      'listSubkeys',
      { load: async () => [entry('a')], listSubkeys: () => Promise.reject(new Error('no database')) },
      { sessionId: id },
    ],
  ])('fails with what the store throws: %s', async (_, store, options) => {
    await expect(restore(store, options).restored).rejects.toThrow('no database');
  });

  it.each<[string, unknown, string]>([
    ['a text', '{"type":"user"}\n', 'a string'],
    ['lines', ['{"type":"user"}'], 'number 0 is a string'],
    ['a hole', [entry('a'), null], 'number 1 is null'],
    ['an object', { entries: [] }, 'an object'],
  ])('is refused where the store returns no entries: %s', async (_, loaded, message) => {
    const load = async () => loaded as SessionStoreEntry[];
    await expect(restore({ load }, { sessionId: id }).restored).rejects.toThrow(message);
    await expect(restore({ load }, { sessionId: id }).restored).rejects.toThrow(TypeError);
  });

  it.each<[string, Partial<SessionStore>, Partial<RestoreOptions>]>([
    ['load', { load: () => new Promise(() => {}) }, { sessionId: id }],
    ['listSubkeys', { load: async () => [entry('a')], listSubkeys: () => new Promise(() => {}) }, { sessionId: id }],
    ['listSessions', { listSessions: () => new Promise(() => {}) }, {}],
  ])('fails in time where the store does not answer: %s', async (method, store, options) => {
    const clock = new HandClock();
    const { restored } = restore(store, { ...options, clock });
    await microtasks();
    clock.advance(1000);
    await expect(restored).rejects.toMatchObject({
      code: 'STORE_TIMEOUT',
      message: `${method}() of the session store took longer than 1000 ms.`,
    });
    expect(clock.waiting).toBe(0);
  });

  it('is not waited for any more once it is aborted, and leaves no timer', async () => {
    const [clock, aborting] = [new HandClock(), new AbortController()];
    const { restored } = restore(
      { load: () => new Promise(() => {}) },
      { sessionId: id, clock, signal: aborting.signal },
    );
    await microtasks();
    aborting.abort(new Error('enough'));
    await expect(restored).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'enough' } });
    expect(clock.waiting).toBe(0);
    const before = restore({}, { sessionId: id, signal: AbortSignal.abort() });
    await expect(before.restored).rejects.toMatchObject({ name: 'AbortError' });
  });
});

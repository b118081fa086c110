import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionKey, SessionStore, SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sdks, sides, type Sdk, type Side } from './sdks.ts';

const [session, other, unknown] = [
  '11111111-2222-4333-8444-555555555555',
  '22222222-2222-4333-8444-555555555555',
  '99999999-2222-4333-8444-555555555555',
] as const;
const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
const keyOf = (sessionId: string, subpath?: string): SessionKey =>
  subpath === undefined ? { projectKey: '-work', sessionId } : { projectKey: '-work', sessionId, subpath };

function messageEntry(n: number, parent: number | null, fields: object = {}): SessionStoreEntry {
  return {
    type: n % 2 === 1 ? 'user' : 'assistant',
    uuid: uuid(n),
    parentUuid: parent === null ? null : uuid(parent),
    sessionId: session,
    timestamp: `2026-01-02T03:04:0${n}.000Z`,
    cwd: '/work',
    gitBranch: 'main',
    isSidechain: false,
    message:
      n % 2 === 1
        ? { role: 'user', content: `prompt ${n}` }
        : { role: 'assistant', id: `m${n}`, content: [{ type: 'text', text: `answer ${n}` }] },
    ...fields,
  };
}

async function fill(store: Pick<SessionStore, 'append'>): Promise<void> {
  const title = { type: 'custom-title', customTitle: 'My title', sessionId: session };
  await store.append(keyOf(session), [
    messageEntry(1, null),
    messageEntry(2, 1),
    messageEntry(3, 2),
    messageEntry(4, 3),
    title,
    { type: 'tag', tag: 'mine' },
  ]);
  const metadata = { type: 'agent_metadata', agentType: 'general', toolUseId: 'toolu_1', parentAgentId: 'p1' };
  const side = { isSidechain: true, agentId: 'x1' };
  await store.append(keyOf(session, 'subagents/agent-x1'), [
    metadata,
    messageEntry(5, null, side),
    messageEntry(6, 5, side),
  ]);
  await store.append(keyOf(session, 'subagents/workflows/w/agent-y2'), [messageEntry(7, null, side)]);
  await store.append(keyOf(other), [messageEntry(1, null, { sessionId: other, entrypoint: 'sdk-ts' })]);
  await store.append(keyOf('33333333-2222-4333-8444-555555555555'), [messageEntry(1, null, { isSidechain: true })]);
}

/** The options of each call: where, and the store. */
interface Asked {
  readonly dir: string;
  readonly sessionStore: SessionStore;
}

type Act = (sdk: Sdk, asked: Asked) => unknown;

interface Outcome {
  readonly value: unknown;
  readonly failed: boolean;
  /** What was appended and deleted. */
  readonly changes: readonly unknown[];
}

const members = ['listSessions', 'listSessionSummaries', 'delete', 'listSubkeys'] as const;

async function outcomeOf(side: Side, act: Act, without: readonly (typeof members)[number][] = []): Promise<Outcome> {
  const kept = new InMemorySessionStore();
  await fill(kept);
  const changes: unknown[] = [];
  const store: SessionStore = {
    async append(key, entries) {
      changes.push(['append', key, entries]);
      await kept.append(key, entries);
    },
    load: (key) => kept.load(key),
    listSessions: (project) => kept.listSessions(project),
    listSessionSummaries: (project) => kept.listSessionSummaries(project),
    listSubkeys: (key) => kept.listSubkeys(key),
    async delete(key) {
      changes.push(['delete', key]);
      await kept.delete(key);
    },
  };
  for (const member of without) delete store[member];
  try {
    const value = await act(await sdks[side](), { dir: '/work', sessionStore: store });
    return comparable({ value, failed: false, changes });
  } catch {
    return comparable({ value: undefined, failed: true, changes });
  }
}

/** New ids are numbered as they appear, and times of today are all the same. A store has no files, so no size of one. */
function comparable(outcome: Outcome): Outcome {
  const ids = new Map<string, string>();
  const text = JSON.stringify(outcome, (name, value: unknown) => {
    if (name === 'lastModified' || name === 'mtime') return typeof value;
    return name === 'fileSize' ? undefined : value;
  });
  const known = new Set([session, other, unknown]);
  const replaced = text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (known.has(id as typeof session) || id.startsWith('00000000') || id.startsWith('33333333')) return id;
      ids.set(id, ids.get(id) ?? `new ${ids.size}`);
      return ids.get(id) ?? '';
    })
    .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, (time) => (time.startsWith('"2026-01-02') ? time : '"now"'));
  return JSON.parse(replaced) as Outcome;
}

const alike: Readonly<Record<string, Act>> = {
  'lists sessions': ({ listSessions }, asked) => listSessions(asked),
  'lists the first of them': ({ listSessions }, asked) =>
    listSessions({ ...asked, limit: 2 }).then((some) => some.slice(0, 1)),
  'lists sessions of programs too': ({ listSessions }, asked) => listSessions({ ...asked, includeProgrammatic: false }),
  'lists the sessions of another folder': ({ listSessions }, asked) => listSessions({ ...asked, dir: '/elsewhere' }),
  'reads what is known of a session': ({ getSessionInfo }, asked) => getSessionInfo(session, asked),
  'reads what is known of no session': ({ getSessionInfo }, asked) => getSessionInfo(unknown, asked),
  'reads what is known of something that is not a session': ({ getSessionInfo }, asked) =>
    getSessionInfo('../x', asked),
  'reads messages': ({ getSessionMessages }, asked) => getSessionMessages(session, asked),
  'reads a part of them': ({ getSessionMessages }, asked) =>
    getSessionMessages(session, { ...asked, limit: 2, offset: 1 }),
  'reads no messages': ({ getSessionMessages }, asked) => getSessionMessages(unknown, asked),
  'lists subagents': ({ listSubagents }, asked) => listSubagents(session, asked),
  'lists no subagents': ({ listSubagents }, asked) => listSubagents(unknown, asked),
  'reads messages of a subagent': ({ getSubagentMessages }, asked) => getSubagentMessages(session, 'x1', asked),
  'reads messages of one in a workflow': ({ getSubagentMessages }, asked) => getSubagentMessages(session, 'y2', asked),
  'reads messages of no subagent': ({ getSubagentMessages }, asked) => getSubagentMessages(session, 'zz', asked),
  'renames a session': ({ renameSession }, asked) => renameSession(session, ' New ', asked),
  'refuses an empty title': ({ renameSession }, asked) => renameSession(session, ' ', asked),
  'tags a session': ({ tagSession }, asked) => tagSession(session, 'new', asked),
  'takes a tag away': ({ tagSession }, asked) => tagSession(session, null, asked),
  'archives nothing': ({ archiveSession }, asked) => archiveSession(session, asked),
  'unarchives nothing': ({ unarchiveSession }, asked) => unarchiveSession(session, asked),
  'deletes a session': ({ deleteSession }, asked) => deleteSession(session, asked),
  'copies a session': ({ forkSession }, asked) => forkSession(session, asked),
  'copies a part of a session': ({ forkSession }, asked) =>
    forkSession(session, { ...asked, upToMessageId: uuid(2), title: 'A copy' }),
  'copies no session': ({ forkSession }, asked) => forkSession(unknown, asked),
  'copies up to no message': ({ forkSession }, asked) => forkSession(session, { ...asked, upToMessageId: uuid(9) }),
};

describe('With a store', () => {
  it.each(Object.entries(alike))('what %s does what it does in the official package', async (_, act) => {
    expect(await outcomeOf('ours', act)).toEqual(await outcomeOf('official', act));
  });

  it.each<[string, (typeof members)[number][], Act]>([
    ['summaries', ['listSessionSummaries'], alike['lists sessions'] as Act],
    ['a list', ['listSessions'], alike['lists sessions'] as Act],
    ['anything to list', ['listSessions', 'listSessionSummaries'], alike['lists sessions'] as Act],
    ['subpaths', ['listSubkeys'], alike['lists subagents'] as Act],
    ['subpaths, to read', ['listSubkeys'], alike['reads messages of a subagent'] as Act],
    ['deleting', ['delete'], alike['deletes a session'] as Act],
  ])('that has not %s, both do the same', async (_, without, act) => {
    expect(await outcomeOf('ours', act, without)).toEqual(await outcomeOf('official', act, without));
  });

  it('a part of a list counts what the list shows, while in the official package hidden transcripts count as well', async () => {
    const act: Act = async ({ listSessions }, asked) =>
      (await listSessions({ ...asked, limit: 1, offset: 1 })).map(({ sessionId }) => sessionId);
    expect(await outcomeOf('ours', act)).toMatchObject({ value: [session] });
    expect(await outcomeOf('official', act)).toMatchObject({ value: [other] });
  });

  it('a session that the store does not have is neither renamed nor deleted, while in the official package one is made', async () => {
    for (const act of [
      ({ renameSession }, asked) => renameSession(unknown, 'x', asked),
      ({ deleteSession }, asked) => deleteSession(unknown, asked),
    ] satisfies Act[]) {
      expect(await outcomeOf('ours', act)).toMatchObject({ failed: true, changes: [] });
      expect(await outcomeOf('official', act)).toMatchObject({ failed: false });
    }
  });
});

describe('importSessionToStore', () => {
  let config: string;
  let before: string | undefined;
  beforeEach(async () => {
    config = await realpath(await mkdtemp(join(tmpdir(), 'config-')));
    before = process.env['CLAUDE_CONFIG_DIR'];
    process.env['CLAUDE_CONFIG_DIR'] = config;
    const project = join(config, 'projects/-work');
    const file = async (path: string, content: string): Promise<void> => {
      await mkdir(join(project, path, '..'), { recursive: true });
      await writeFile(join(project, path), content);
    };
    const lines = (...entries: readonly unknown[]): string =>
      entries.map((entry) => (typeof entry === 'string' ? entry : `${JSON.stringify(entry)}\n`)).join('');
    await file(
      `${session}.jsonl`,
      lines(
        messageEntry(1, null),
        'no json\n',
        '\n',
        messageEntry(2, 1),
        { type: 'tag', tag: 'x' },
        messageEntry(3, 2),
        '{"type":"user","uu',
      ),
    );
    await file(`${session}/subagents/agent-a.jsonl`, lines(messageEntry(5, null), messageEntry(6, 5)));
    await file(`${session}/subagents/agent-a.meta.json`, JSON.stringify({ agentType: 't', toolUseId: 'z' }));
    await file(`${session}/subagents/agent-b.meta.json`, JSON.stringify({ agentType: 'without a transcript' }));
    await file(`${session}/subagents/agent-c.jsonl`, '');
    await file(`${session}/subagents/agent-d.jsonl`, lines(messageEntry(7, null)));
    await file(`${session}/subagents/agent-d.meta.json`, '{broken');
    await file(`${session}/subagents/workflows/w1/agent-w.jsonl`, lines(messageEntry(8, null)));
    await file(`${session}/tool-results/x.txt`, 'no transcript');
    await file(
      `${other}.jsonl`,
      lines(...Array.from({ length: 1201 }, (_, n) => messageEntry(1, null, { uuid: `u${n}` }))),
    );
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = before;
    await rm(config, { recursive: true, force: true });
  });

  type Options = Parameters<Sdk['importSessionToStore']>[2];

  async function imported(side: Side, id: string, options: Options = { dir: '/work' }) {
    const calls: (readonly [SessionKey, readonly SessionStoreEntry[]])[] = [];
    const store = {
      append: async (key: SessionKey, entries: SessionStoreEntry[]) => void calls.push([key, [...entries]]),
      load: async () => null,
    };
    let failed = false;
    await (await sdks[side]()).importSessionToStore(id, store, options).catch(() => (failed = true));
    return { failed, calls };
  }

  it.each<[string, string, Options]>([
    ['a session with its subagents', session, { dir: '/work' }],
    ['a session without them', session, { dir: '/work', includeSubagents: false }],
    ['a long session', other, { dir: '/work' }],
    ['two entries at a time', session, { dir: '/work', batchSize: 2 }],
    ['by a number that makes no batch', session, { dir: '/work', batchSize: 0 }],
    ['by half a number', session, { dir: '/work', batchSize: 1.5 }],
    ['no session', unknown, { dir: '/work' }],
    ['what is no session', '../../x', { dir: '/work' }],
    ['a session of another folder', session, { dir: '/elsewhere' }],
  ])('stores what is stored in the official package: %s', async (_, id, options) => {
    expect(await imported('ours', id, options)).toEqual(await imported('official', id, options));
  });

  it('stores under the folder of the session where none is named, and in the official package under that of the program', async () => {
    const keys = async (side: Side) =>
      new Set((await imported(side, session, {})).calls.map(([{ projectKey }]) => projectKey));
    expect(await keys('ours')).toEqual(new Set(['-work']));
    expect(await keys('official')).not.toEqual(new Set(['-work']));
  });

  it('fails with what the store throws', async () => {
    const broken = { append: () => Promise.reject(new Error('no database')), load: async () => null };
    for (const side of sides)
      await expect((await sdks[side]()).importSessionToStore(session, broken)).rejects.toThrow('no database');
  });
});

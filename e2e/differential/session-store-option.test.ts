import type { Options, SessionKey, SDKMessage, SessionStore, SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { initMessage, obliging, resultMessage, stateMessage } from './behaviours.ts';
import { flagsOf } from './comparable.ts';
import { run, sides, type RunRecord, type Side } from './run.ts';
import type { Agent, Behaviour } from './stand-in.ts';

const session = '11111111-2222-4333-8444-555555555555';
const newer = '22222222-2222-4333-8444-555555555555';
const entry = (n: number): SessionStoreEntry => ({ type: 'user', uuid: `u${n}`, n });

/** A part of a transcript, as the agent hands it over. */
const mirror = (agent: Agent, path: string, ...numbers: number[]): void =>
  agent.write({
    type: 'transcript_mirror',
    filePath: `${agent.env['CLAUDE_CONFIG_DIR'] ?? `${agent.env['HOME']}/.claude`}/projects/-work/${path}`,
    entries: numbers.map(entry),
  });
const own = `${session}.jsonl`;
const ofSubagent = `${session}/subagents/agent-a.jsonl`;

interface QueryProgress {
  readonly record: RunRecord;
  /** What the store was asked, in order. */
  readonly calls: readonly unknown[];
  readonly messages: readonly string[];
}

interface Scene {
  readonly store?: Partial<SessionStore>;
  readonly options?: Partial<Options>;
  readonly standIn?: Behaviour;
  /** The process has the same home as the agent, which the official package requires. */
  readonly hasOwnHome?: boolean;
}

async function courseOf(side: Side, { store = {}, options = {}, standIn, hasOwnHome }: Scene): Promise<QueryProgress> {
  const calls: unknown[] = [];
  const messages: string[] = [];
  const noting = (method: keyof SessionStore): object =>
    store[method] === undefined
      ? {}
      : {
          async [method](...given: readonly unknown[]) {
            calls.push([method, ...given]);
            return await (store[method] as (...all: readonly unknown[]) => unknown)(...given);
          },
        };
  const home = process.env['HOME'];
  try {
    const record = await run(
      side,
      async ({ query }, place) => {
        const cwd = place.cwd;
        if (hasOwnHome !== false) process.env['HOME'] = cwd;
        const sessionStore = {
          async append(key: SessionKey, entries: SessionStoreEntry[]) {
            calls.push(['append', key, entries.map(({ n }) => n)]);
            await store.append?.(key, entries);
          },
          load: async () => null,
          ...noting('load'),
          ...noting('listSessions'),
          ...noting('listSubkeys'),
        };
        const asked = query({ prompt: 'hello', options: { ...place.options, sessionStore, ...options } });
        for await (const message of asked) messages.push(described(message));
      },
      standIn === undefined ? {} : { standIn },
    );
    return { record, messages, calls: calls.map((call) => withoutPlace(call, record)) };
  } finally {
    process.env['HOME'] = home;
  }
}

function described(message: SDKMessage): string {
  if (message.type !== 'system') return message.type;
  return message.subtype === 'mirror_error'
    ? JSON.stringify([message.error, message.key, message.session_id])
    : message.subtype;
}

/** Both run in a folder of their own. */
function withoutPlace(call: unknown, { launches }: RunRecord): unknown {
  const folder = launches[0]?.cwd.replaceAll(/[^A-Za-z0-9]/g, '-') ?? 'no folder';
  return JSON.parse(
    JSON.stringify(call)
      .replaceAll(/-tmp[\w-]*compared-\w+/g, 'the project')
      .replaceAll(folder, 'the project'),
  );
}

async function bothOf(scene: Scene): Promise<Record<Side, QueryProgress>> {
  return { official: await courseOf('official', scene), ours: await courseOf('ours', scene) };
}

/** An agent that does this when it is given a message, and then ends the turn. */
const turn = (act: (agent: Agent) => void): Behaviour =>
  obliging({
    message(_, agent) {
      agent.write(initMessage());
      act(agent);
      agent.write(resultMessage());
      agent.write(stateMessage('idle'));
      return true;
    },
  });

const noDatabase = (): never => {
  throw new Error('no database');
};

const scenes: Readonly<Record<string, Scene>> = {
  'nothing is handed over': {},
  'several parts are handed over': {
    standIn: turn((agent) => {
      mirror(agent, own, 1);
      mirror(agent, ofSubagent, 2);
      mirror(agent, own, 3, 4);
    }),
  },
  'each part is stored at once': {
    options: { sessionStoreFlush: 'eager' },
    standIn: turn((agent) => {
      mirror(agent, own, 1);
      mirror(agent, own, 2);
      mirror(agent, ofSubagent, 3);
    }),
  },
  'a store fails once': {
    store: { append: failing(1) },
    standIn: turn((agent) => mirror(agent, own, 1)),
  },
  'a store always fails': {
    store: { append: async () => noDatabase() },
    standIn: turn((agent) => {
      mirror(agent, own, 1);
      mirror(agent, ofSubagent, 2);
    }),
  },
  'something comes after the result': {
    standIn: obliging({
      inputEnded(agent) {
        mirror(agent, own, 5);
        agent.exit(0);
        return true;
      },
    }),
  },
  'the store fails after the result': {
    store: { append: async () => noDatabase() },
    standIn: obliging({
      inputEnded(agent) {
        mirror(agent, own, 5);
        agent.exit(0);
        return true;
      },
    }),
  },
  'a session is resumed': { store: { load: async () => [entry(1), entry(2)] }, options: { resume: session } },
  'a session is resumed with its subagents': {
    store: {
      load: async ({ subpath }) =>
        subpath === undefined ? [entry(1)] : [{ type: 'agent_metadata', agentType: 'x' }, entry(2)],
      listSubkeys: async () => ['subagents/agent-a', '../../evil', ''],
    },
    options: { resume: session },
  },
  'a session is forked': { store: { load: async () => [entry(1)] }, options: { resume: session, forkSession: true } },
  'the store does not have the session': { options: { resume: session } },
  'the store has nothing of the session': { store: { load: async () => [] }, options: { resume: session } },
  'the name is no id': { store: { load: async () => [entry(1)] }, options: { resume: 'a-title' } },
  'the newest session continues': {
    store: {
      load: async () => [entry(1)],
      listSessions: async () => [
        { sessionId: session, mtime: 1 },
        { sessionId: newer, mtime: 5 },
      ],
    },
    options: { continue: true },
  },
  'there is no newest session': { store: { listSessions: async () => [] }, options: { continue: true } },
  'the newest session has gone': {
    store: { listSessions: async () => [{ sessionId: session, mtime: 1 }] },
    options: { continue: true },
  },
};

function failing(times: number): SessionStore['append'] {
  let left = new Map<unknown, number>();
  return async (key) => {
    const name = JSON.stringify(key);
    left = left.set(name, (left.get(name) ?? times) - 1);
    // Once for each package.
    if ((left.get(name) ?? 0) >= 0) noDatabase();
    left.delete(name);
  };
}

/** The config folder as the agent found it: the paths and what is in them. */
function foldersOf({ record }: QueryProgress): unknown {
  return record.launches.map((launch) => {
    const { env } = launch;
    return { flags: flagsOf(launch), hasFolder: env['CLAUDE_CONFIG_DIR'] !== undefined };
  });
}

describe('With `sessionStore`', () => {
  it.each(Object.entries(scenes))(
    'store and program see what they see in the official package when %s',
    async (_, scene) => {
      const { official, ours } = await bothOf(scene);
      expect(ours.record.thrown).toEqual(official.record.thrown);
      expect(ours.calls).toEqual(official.calls);
      expect(ours.messages).toEqual(official.messages);
      expect(foldersOf(ours)).toEqual(foldersOf(official));
    },
  );

  it.each<[string, Scene]>([
    ['the store fails to load', { store: { load: async () => noDatabase() }, options: { resume: session } }],
    ['the store fails to list', { store: { listSessions: async () => noDatabase() }, options: { continue: true } }],
  ])('the loop throws what the store throws, and no agent is started, when %s', async (_, scene) => {
    for (const side of sides) {
      const { record } = await courseOf(side, scene);
      expect([side, record.thrown?.message, record.launches]).toEqual([side, 'no database', []]);
    }
  });

  it.each<[string, Scene, string]>([
    ['nothing is kept', { options: { persistSession: false } }, 'persistSession'],
    ['files are kept to be taken back', { options: { enableFileCheckpointing: true } }, 'enableFileCheckpointing'],
    ['the store lists nothing', { options: { continue: true } }, 'listSessions'],
    [
      'the store does not answer',
      { store: { load: () => new Promise(() => {}) }, options: { resume: session, loadTimeoutMs: 20 } },
      'load()',
    ],
  ])('both refuse when %s', async (_, scene, word) => {
    for (const side of sides) {
      const { record } = await courseOf(side, scene);
      expect([side, record.thrown?.message, record.launches]).toEqual([side, expect.stringContaining(word), []]);
    }
  });

  it('#12 is stored although this process has another home than the agent, while in the official package nothing is', async () => {
    const scene = { hasOwnHome: false, standIn: turn((agent) => mirror(agent, own, 1)) };
    const { official, ours } = await bothOf(scene);
    expect(ours.calls).toEqual([['append', { projectKey: '-work', sessionId: session }, [1]]]);
    expect(official.calls).toEqual([]);
  });

  it('a folder that is not a session is not taken for the newest, while in the official package no session continues', async () => {
    const scene: Scene = {
      store: {
        load: async () => [entry(1)],
        listSessions: async () => [
          { sessionId: '../x', mtime: 9 },
          { sessionId: session, mtime: 1 },
        ],
      },
      options: { continue: true },
    };
    const { official, ours } = await bothOf(scene);
    const resumed = ({ record }: QueryProgress): unknown => record.launches.map((launch) => flagsOf(launch)['resume']);
    expect([resumed(official), resumed(ours)]).toEqual([[undefined], [[session]]]);
  });
});

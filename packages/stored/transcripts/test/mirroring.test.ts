import {
  SdkError,
  type AgentMessage,
  type SessionFeature,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type TranscriptMirrorFrame,
  type Warning,
} from '@hexagent/ports';
import { CountedIds, HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { mirrorFeature, type MirrorFeatureOptions } from '../src/index.ts';

const session = '11111111-2222-4333-8444-555555555555';
const main = `/home/me/.claude/projects/-work/${session}.jsonl`;
const sub = `/home/me/.claude/projects/-work/${session}/subagents/agent-a.jsonl`;
const mainKey = { projectKey: '-work', sessionId: session };
const subKey = { ...mainKey, subpath: 'subagents/agent-a' };
const entry = (n: number): SessionStoreEntry => ({ type: 'user', uuid: `u${n}`, n });
// What the feature reads of a result is its type.
const result = { type: 'result' } as AgentMessage;

interface Scene {
  readonly clock: HandClock;
  /** Each call of the store. */
  readonly calls: (readonly [SessionKey, readonly unknown[]])[];
  readonly delivered: AgentMessage[];
  readonly warnings: Warning[];
  /** The errors with which the agent was ended. */
  readonly suspended: Error[];
  /** A part of a transcript arrives. */
  mirror(filePath: unknown, entries: unknown, bytes?: number): Promise<void> | void;
  /** The result of a turn arrives. */
  end(): Promise<void> | void;
  exit(): Promise<void> | void;
}

function scene(append: SessionStore['append'] = async () => {}, flush?: MirrorFeatureOptions['flush']): Scene {
  const [clock, calls] = [new HandClock(), [] as [SessionKey, readonly unknown[]][]];
  const [delivered, warnings, suspended]: [AgentMessage[], Warning[], Error[]] = [[], [], []];
  const store = {
    append(key: SessionKey, entries: readonly SessionStoreEntry[]) {
      calls.push([key, entries.map(({ n }) => n)]);
      return append(key, entries);
    },
  };
  const feature: SessionFeature = mirrorFeature({ store, flush, clock, ids: new CountedIds() });
  feature.attach?.({
    deliver: (message) => void delivered.push(message),
    suspend: (error) => void suspended.push(error),
    warn: (warning) => void warnings.push(warning),
    observe: () => {},
    request: () => Promise.reject(new Error('It asks for nothing.')),
    requestUntyped: () => Promise.reject(new Error('It asks for nothing.')),
  });
  return {
    clock,
    calls,
    delivered,
    warnings,
    suspended,
    // A frame that fails its check is received too.
    mirror: (filePath, entries, bytes = 100) =>
      feature.receive?.({ type: 'transcript_mirror', filePath, entries } as TranscriptMirrorFrame, bytes),
    end: () => feature.receive?.(result, 10),
    exit: () => feature.exiting?.(),
  };
}

/** Whether a promise has settled, after everything that can happen by itself. */
async function isSettled(promise: Promise<void> | void): Promise<boolean> {
  let settled = false;
  void promise?.then(() => (settled = true));
  await microtasks();
  return settled;
}

describe('A mirror', () => {
  it('asks the agent for its transcript', () => {
    const options = { store: { append: async () => {} }, clock: new HandClock(), ids: new CountedIds() };
    expect(mirrorFeature(options).launch).toEqual({ sessionMirror: true });
  });

  it('#12 stores what came before a result together, each transcript in one call, and holds the result until then', async () => {
    const stored = Promise.withResolvers<void>();
    const { calls, mirror, end } = scene(() => stored.promise);
    expect(mirror(main, [entry(1)])).toBeUndefined();
    void mirror(sub, [entry(2)]);
    void mirror(main, [entry(3), entry(4)]);
    await microtasks();
    expect(calls).toEqual([]);
    const held = end();
    expect(await isSettled(held)).toBe(false);
    // One call at a time.
    expect(calls).toEqual([[mainKey, [1, 3, 4]]]);
    stored.resolve();
    await held;
    expect(calls).toEqual([
      [mainKey, [1, 3, 4]],
      [subKey, [2]],
    ]);
    expect(end()).toBeUndefined();
  });

  it('stores each part by itself, as it comes, where it is eager, and holds no message but the result', async () => {
    const stored = Promise.withResolvers<void>();
    const { calls, mirror, end } = scene(() => stored.promise, 'eager');
    expect(mirror(main, [entry(1)])).toBeUndefined();
    expect(mirror(main, [entry(2)])).toBeUndefined();
    await microtasks();
    expect(calls).toEqual([[mainKey, [1]]]);
    const held = end();
    expect(await isSettled(held)).toBe(false);
    stored.resolve();
    await held;
    expect(calls).toEqual([
      [mainKey, [1]],
      [mainKey, [2]],
    ]);
  });

  it.each<[string, number, number]>([
    ['more than 500 entries', 501, 1],
    ['more than a megabyte', 2, 600_000],
  ])('does not wait for a result with %s', async (_, count, bytes) => {
    const { calls, mirror } = scene();
    for (let n = 0; n < count; n += 1) void mirror(main, [entry(n)], bytes);
    await microtasks();
    expect(calls.map(([, entries]) => entries.length)).toEqual([count]);
  });

  it('holds the agent up where the store is behind by more than 16 MB', async () => {
    const stored = Promise.withResolvers<void>();
    const { mirror } = scene(() => stored.promise);
    expect(mirror(main, [entry(1)], 16 * 1024 * 1024)).toBeUndefined();
    const held = mirror(main, [entry(2)], 2_000_000);
    expect(await isSettled(held)).toBe(false);
    stored.resolve();
    await held;
    expect(mirror(main, [entry(3)], 2_000_000)).toBeUndefined();
  });

  it('stores what came after the last result when the agent exits', async () => {
    const { calls, mirror, exit } = scene();
    void mirror(main, [entry(1)]);
    await exit();
    expect(calls).toEqual([[mainKey, [1]]]);
    expect(exit()).toBeUndefined();
  });
});

describe('A store that fails', () => {
  const broken = (): Promise<void> => Promise.reject(new Error('no database'));

  it('is tried three times, and then the program receives what was given up, before the result', async () => {
    const { clock, calls, delivered, warnings, mirror, end } = scene(broken);
    void mirror(main, [entry(1)]);
    const held = end();
    await microtasks();
    expect(calls).toHaveLength(1);
    clock.advance(199);
    await microtasks();
    expect(calls).toHaveLength(1);
    clock.advance(1);
    await microtasks();
    expect(calls).toHaveLength(2);
    clock.advance(800);
    expect(await isSettled(held)).toBe(true);
    expect(calls).toEqual([
      [mainKey, [1]],
      [mainKey, [1]],
      [mainKey, [1]],
    ]);
    expect(delivered).toEqual([
      {
        type: 'system',
        subtype: 'mirror_error',
        error: 'no database',
        key: mainKey,
        uuid: expect.any(String),
        session_id: session,
      },
    ]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_NOT_STORED', message: expect.stringContaining('no database') }]);
  });

  it('is given the same entries again, whatever it does with them, and then what follows', async () => {
    let failures = 1;
    const { clock, calls, delivered, mirror, end } = scene(async (_, entries) => {
      (entries as SessionStoreEntry[]).length = 0;
      if (failures-- > 0) throw new Error('busy');
    });
    void mirror(main, [entry(1)]);
    void mirror(sub, [entry(2)]);
    const held = end();
    await microtasks();
    clock.advance(200);
    await held;
    expect(calls).toEqual([
      [mainKey, [1]],
      [mainKey, [1]],
      [subKey, [2]],
    ]);
    expect(delivered).toEqual([]);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['a text', 'a text'],
    [Object.create(null), 'an object without keys'],
  ])('may throw anything, at once too: %o', async (thrown, error) => {
    const { clock, delivered, mirror, end } = scene(() => {
      throw thrown;
    });
    void mirror(main, [entry(1)]);
    const held = end();
    for (const ms of [200, 800]) {
      await microtasks();
      clock.advance(ms);
    }
    await held;
    expect(delivered).toMatchObject([{ error }]);
  });

  it('that does not settle is given up after a minute, and not tried again', async () => {
    const { clock, calls, delivered, mirror, end } = scene((key) =>
      key.subpath === undefined ? new Promise(() => {}) : Promise.resolve(),
    );
    void mirror(main, [entry(1)]);
    void mirror(sub, [entry(2)]);
    const held = end();
    await microtasks();
    clock.advance(60_000);
    await held;
    expect(calls).toEqual([
      [mainKey, [1]],
      [subKey, [2]],
    ]);
    expect(delivered).toMatchObject([{ error: 'append() has not settled within 60 seconds', key: mainKey }]);
    expect(clock.waiting).toBe(0);
  });
});

describe('A store that refuses a line under an old lease', () => {
  const lost = new SdkError('LEASE_LOST', 'The session is driven under lease 2; this was lease 1.');

  it('is not asked again, and the agent is ended: nothing more is stored, and no line is reported as missing', async () => {
    const { clock, calls, delivered, suspended, mirror, end, exit } = scene(() => Promise.reject(lost));
    void mirror(main, [entry(1)]);
    void mirror(sub, [entry(2)]);
    await end();
    expect(suspended).toEqual([lost]);
    expect(calls).toEqual([[mainKey, [1]]]);
    void mirror(main, [entry(3)]);
    await end();
    await exit();
    expect([calls.length, delivered, suspended.length, clock.waiting]).toEqual([1, [], 1, 0]);
  });

  it('ends the agent before the result is delivered', async () => {
    const { suspended, mirror, end } = scene(() => Promise.reject(lost));
    void mirror(main, [entry(1)]);
    const seen = Promise.resolve(end()).then(() => suspended.length);
    expect(await seen).toBe(1);
  });

  it('may do so in a second attempt', async () => {
    let failures = 1;
    const { clock, calls, delivered, suspended, mirror, end } = scene(() =>
      Promise.reject(failures-- > 0 ? new Error('busy') : lost),
    );
    void mirror(main, [entry(1)]);
    const held = end();
    await microtasks();
    clock.advance(200);
    await held;
    expect([calls.length, delivered, suspended]).toEqual([2, [], [lost]]);
  });

  it('may do so when nothing waits for its answer any more', async () => {
    const answer = Promise.withResolvers<void>();
    const { clock, calls, suspended, mirror, end } = scene(() => answer.promise);
    void mirror(main, [entry(1)]);
    const held = end();
    await microtasks();
    clock.advance(60_000);
    await held;
    answer.reject(lost);
    await microtasks();
    expect(suspended).toEqual([lost]);
    void mirror(main, [entry(2)]);
    await end();
    expect(calls).toHaveLength(1);
  });
});

describe('The key of a transcript', () => {
  it.each<[string, object]>([
    [main, mainKey],
    [sub, subKey],
    [`/tmp/some/projects/of/mine/.claude/projects/-work/${session}.jsonl`, mainKey],
    [`C:\\Users\\me\\.claude\\projects\\-work\\${session}\\subagents\\agent-a.jsonl`, subKey],
    [
      `/c/projects/-work/${session}/subagents/workflows/w/agent-b.jsonl`,
      { ...mainKey, subpath: 'subagents/workflows/w/agent-b' },
    ],
    [`/c/projects/projects/${session}.jsonl`, { projectKey: 'projects', sessionId: session }],
  ])('is read from the end of its path, wherever the home of the agent is: %s', async (path, key) => {
    const { calls, mirror, end, warnings } = scene();
    void mirror(path, [entry(1)]);
    await end();
    expect(calls).toEqual([[key, [1]]]);
    expect(warnings).toEqual([]);
  });

  it.each<[unknown, unknown]>([
    ['/elsewhere/file.jsonl', [entry(1)]],
    [`/c/projects/${session}.jsonl`, [entry(1)]],
    ['/c/projects/-work/notes.txt', [entry(1)]],
    [`/c/projects/../${session}.jsonl`, [entry(1)]],
    [`/c/projects/-work/${session}/../../x.jsonl`, [entry(1)]],
    ['/c/projects/-work/.jsonl', [entry(1)]],
    [7, [entry(1)]],
    [undefined, undefined],
    [main, 'none'],
  ])('is not guessed: %s is warned of, and not stored', async (path, entries) => {
    const { calls, mirror, end, warnings } = scene();
    void mirror(path, entries);
    await end();
    expect(calls).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_NOT_STORED', source: 'session store' }]);
  });
});

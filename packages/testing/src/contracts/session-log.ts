import { assert } from './assert.ts';
import { SdkError, type LogPlace, type SessionEvent, type SessionFact, type SessionLog } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { SessionLogFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `SessionLog` promises: each reader gets the facts from its place on, in the order in which they were appended. */
export function sessionLogContract(runner: Runner, fixture: SessionLogFixture): void {
  const limited = limitedRunner('sessionLogContract', runner, fixture);
  limited.describe('SessionLog contract', () => runPromises(limited, fixture, { always, durable }));
}

const accepted = (uuid: string): SessionFact => ({ kind: 'accepted', uuid, input: { content: uuid }, isCut: false });
const completed = (uuid: string): SessionFact => ({ kind: 'outbox', uuid, state: 'completed' });
const running: SessionFact = { kind: 'state', state: 'running' };
const parked: SessionFact = { kind: 'state', state: 'parked' };
const started = (turn: string): SessionFact => ({ kind: 'turn_started', turn, isUnsolicited: true, within: undefined });
const cut = (turn: string): SessionFact => ({
  kind: 'turn_cut',
  turn,
  error: new SdkError('AGENT_EXITED', 'It died.'),
});
const asks = (kind: 'ask_opened' | 'ask_settled'): SessionFact => ({
  kind,
  record: {
    id: 'one',
    session: 'a',
    kind: 'permission',
    toolUseId: 'call',
    tool: 'Bash',
    input: {},
    suggestions: [],
    createdAt: 0,
    state: kind === 'ask_opened' ? 'open' : 'lost',
  },
});

interface Reader {
  /** The next facts, in short. */
  next(count: number): Promise<readonly string[]>;
  /** Whether it has ended. */
  isDone(): Promise<boolean>;
  readonly seqs: readonly string[];
  leave(): Promise<void>;
}

function reading(log: SessionLog, from: LogPlace, signal?: AbortSignal): Reader {
  const events = log.read('a', from, signal)[Symbol.asyncIterator]();
  const seqs: string[] = [];
  return {
    seqs,
    async next(count) {
      const found: string[] = [];
      while (found.length < count) {
        const { value, done } = await events.next();
        assert.ok(done !== true, `the reader has ended after: ${found.join(', ')}`);
        found.push(inShort(value));
        seqs.push(value.seq);
      }
      return found;
    },
    isDone: async () => (await events.next()).done === true,
    leave: async () => void (await events.return?.()),
  };
}

function inShort(fact: SessionEvent): string {
  if (fact.kind === 'accepted') return fact.uuid;
  if (fact.kind === 'outbox') return `${fact.uuid} ${fact.state}`;
  if (fact.kind === 'turn_started') return `${fact.turn} started`;
  if (fact.kind === 'turn_cut') return `${fact.turn} cut: ${String(Reflect.get(Object(fact.error), 'code'))}`;
  return fact.kind === 'state' ? fact.state : fact.kind;
}

const always: Readonly<Record<string, KeepPromise<SessionLog>>> = {
  async 'gives a reader what is appended from its call on, in order'(log) {
    await log.append('a', [accepted('one')], 1);
    const reader = reading(log, 'now');
    const last = await log.append('a', [accepted('two'), running], 1);
    await log.append('a', [completed('two')], 1);
    assert.deepEqual(await reader.next(3), ['two', 'running', 'two completed']);
    assert.deepEqual(reader.seqs, reader.seqs.toSorted());
    assert.equal(new Set(reader.seqs).size, 3);
    assert.equal(reader.seqs[1], last);
    await reader.leave();
  },

  async 'gives a reader that waits the next fact, and no fact of another session'(log) {
    const reader = reading(log, 'now');
    const next = reader.next(1);
    await log.append('b', [accepted('other')], 1);
    await log.append('a', [accepted('own')], 1);
    assert.deepEqual(await next, ['own']);
    await reader.leave();
  },

  async 'keeps a fact as it was, with the code of an error'(log) {
    const input = { content: [{ type: 'text' as const, text: 'é 😀 \n " \u2028' }], priority: 'next' as const };
    const reader = reading(log, 'now');
    const events = log.read('a', 'now')[Symbol.asyncIterator]();
    await log.append('a', [{ kind: 'accepted', uuid: 'one', input, isCut: true }, cut('one')], 1);
    const { value } = await events.next();
    assert.deepEqual(value, { kind: 'accepted', uuid: 'one', input, isCut: true, seq: value?.seq });
    assert.deepEqual(await reader.next(2), ['one', 'one cut: AGENT_EXITED']);
    await events.return?.();
    await reader.leave();
  },

  async 'gives each reader every fact, however far another one is'(log) {
    const [fast, slow] = [reading(log, 'now'), reading(log, 'now')];
    await log.append('a', [accepted('one')], 1);
    assert.deepEqual(await fast.next(1), ['one']);
    await log.append('a', [accepted('two')], 1);
    await fast.leave();
    await log.append('a', [accepted('three')], 1);
    assert.deepEqual(await slow.next(3), ['one', 'two', 'three']);
    await slow.leave();
  },

  async 'reads on behind a fact'(log) {
    const other = reading(log, 'now');
    await log.append('a', [running, accepted('one')], 1);
    const after = await log.append('a', [accepted('two')], 1);
    await log.append('a', [accepted('three')], 1);
    const reader = reading(log, { after });
    await log.append('a', [accepted('four')], 1);
    assert.deepEqual(await reader.next(2), ['three', 'four']);
    await reader.leave();
    await other.leave();
  },

  async 'rejects a reader behind a fact that it does not have'(log) {
    await log.append('a', [accepted('one')], 1);
    await assert.rejects(reading(log, { after: 'unknown' }).next(1), hasCode('MESSAGES_DISCARDED'));
  },

  async 'reads a turn from the first fact since nothing was open'(log) {
    await log.append('a', [running, accepted('one'), accepted('two'), completed('one')], 1);
    const within = reading(log, 'turn');
    assert.deepEqual(await within.next(3), ['one', 'two', 'one completed']);
    await log.append('a', [completed('two')], 1);
    assert.deepEqual(await within.next(1), ['two completed']);
    const behind = reading(log, 'turn');
    await log.append('a', [accepted('three')], 1);
    assert.deepEqual(await behind.next(1), ['three']);
    await within.leave();
    await behind.leave();
  },

  async 'takes a turn, a question and what is held for open'(log) {
    const pairs: readonly (readonly [SessionFact, SessionFact])[] = [
      [started('own'), cut('own')],
      [asks('ask_opened'), asks('ask_settled')],
      [
        { kind: 'held', isHeld: true },
        { kind: 'held', isHeld: false },
      ],
      [asks('ask_opened'), parked],
      [accepted('one'), { kind: 'dropped', error: new SdkError('LEASE_LOST', 'Another process has it.') }],
    ];
    for (const [opens, closes] of pairs) {
      await log.append('a', [running, opens, running], 1);
      const open = reading(log, 'turn');
      assert.deepEqual(await open.next(1), [inShort({ ...opens, seq: '' })]);
      await log.append('a', [closes], 1);
      const closed = reading(log, 'turn');
      await log.append('a', [accepted('next')], 1);
      assert.deepEqual(await closed.next(1), ['next'], closes.kind);
      await log.append('a', [completed('next')], 1);
      await open.leave();
      await closed.leave();
    }
  },

  async 'ends a reader whose signal aborts, also one that waits'(log) {
    const leaving = new AbortController();
    const waits = reading(log, 'now', leaving.signal);
    const done = waits.isDone();
    leaving.abort();
    assert.equal(await done, true);
    assert.equal(await reading(log, 'turn', leaving.signal).isDone(), true);
  },

  async 'refuses facts under a lower fence than before, and appends none of them'(log) {
    const reader = reading(log, 'now');
    await log.append('a', [accepted('one')], 2);
    await assert.rejects(log.append('a', [accepted('two')], 1), hasCode('LEASE_LOST'));
    await assert.rejects(log.delete('a', 1), hasCode('LEASE_LOST'));
    await log.append('a', [accepted('three')], 3);
    assert.deepEqual(await reader.next(2), ['one', 'three']);
    await log.append('b', [accepted('other')], 1);
    await reader.leave();
  },

  async 'forgets a session that is deleted, and ends its readers'(log) {
    const reader = reading(log, 'now');
    const seq = await log.append('a', [accepted('one')], 1);
    assert.deepEqual(await reader.next(1), ['one']);
    await log.delete('a', 1);
    assert.equal(await reader.isDone(), true);
    await assert.rejects(reading(log, { after: seq }).next(1), hasCode('MESSAGES_DISCARDED'));
    const again = reading(log, 'turn');
    await log.append('a', [accepted('two')], 1);
    assert.deepEqual(await again.next(1), ['two']);
    await again.leave();
    await log.delete('a session that never was', 1);
  },
};

const durable: Readonly<Record<string, KeepPromise<SessionLog>>> = {
  async 'has the turn after it was opened again, and greater places for what follows'(log, reopen) {
    const before = await log.append('a', [accepted('one')], 1);
    const again = await reopen();
    const reader = reading(again, 'turn');
    assert.ok((await again.append('a', [completed('one')], 2)) > before);
    assert.deepEqual(await reader.next(2), ['one', 'one completed']);
    await assert.rejects(log.append('a', [running], 1), hasCode('LEASE_LOST'));
    await reader.leave();
  },
};

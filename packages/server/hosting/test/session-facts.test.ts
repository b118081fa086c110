import type { ApprovalRecord, SessionFact } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { completed, fakeHost, follow, type FakeHost } from './fake-agents.ts';

const scope = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 'session' } as const;

const record: ApprovalRecord = {
  id: 'ask',
  session: 'a',
  kind: 'permission',
  toolUseId: 'call',
  tool: 'Bash',
  input: {},
  suggestions: [],
  createdAt: 0,
  state: 'open',
};

/** What is reported of a session, in short. */
function inShortOf(of: FakeHost, id: string): readonly string[] {
  const seen: string[] = [];
  void follow(of, id, (fact) => seen.push(inShort(fact)));
  return seen;
}

function inShort(fact: SessionFact): string {
  switch (fact.kind) {
    case 'accepted':
      return `accepted ${fact.uuid}${fact.isCut ? ', cut' : ''}`;
    case 'outbox':
      return `${fact.uuid} ${fact.state}`;
    case 'held':
      return fact.isHeld ? 'held' : 'not held';
    case 'state':
      return `is ${fact.state}`;
    case 'crashed':
      return `crashed${fact.restartsInMs === undefined ? '' : ', restarts'}`;
    case 'dropped':
      return `dropped ${String(Reflect.get(Object(fact.error), 'code'))}`;
    case 'ask_opened':
    case 'ask_settled':
      return fact.kind;
    case 'turn_started':
      return `${fact.turn} started${fact.isUnsolicited ? ', unsolicited' : ''}`;
    default:
      return `${fact.kind} ${fact.turn}`;
  }
}

const only = (seen: readonly string[], pattern: RegExp): readonly string[] => seen.filter((each) => pattern.test(each));

async function sent(of: FakeHost, uuid: string): Promise<void> {
  await of.host.create('a');
  await of.host.send('a', { uuid, content: 'go' });
  await of.settle();
}

describe('The facts of a hosted session', () => {
  it('begin with the message, and end with what it came to', async () => {
    await using of = fakeHost();
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    of.agents[0]?.begin();
    of.agents[0]?.answer();
    await of.settle();
    expect(seen).toEqual([
      'accepted one',
      'is starting',
      'is idle',
      'one sent',
      'is running',
      'one started',
      'one started',
      'message one',
      'turn_ended one',
      'one completed',
      'is idle',
    ]);
  });

  it('name a turn by the message that was cut off, where the next agent continues it', async () => {
    await using of = fakeHost({ autoResume: 'continue' });
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    await of.pass(1000);
    const [, second] = of.agents;
    second?.report({ kind: 'turn_started', turn: 'own', isUnsolicited: true, within: undefined });
    second?.report({
      kind: 'message',
      turn: 'own',
      message: { type: 'tool_use_summary', summary: 'more', preceding_tool_use_ids: [], ...scope },
    });
    second?.report({ kind: 'turn_ended', turn: 'one', outcome: { kind: 'cancelled', why: 'repeated' } });
    const result = { ...completed.result, user_message_uuids: ['one'] };
    second?.report({ kind: 'turn_ended', turn: 'own', outcome: { ...completed, result } });
    second?.report({ kind: 'idle' });
    await of.settle();
    const after = seen.slice(seen.indexOf('turn_cut one') + 1);
    expect(only(after, /^crashed/)).toEqual(['crashed, restarts']);
    expect(only(after, /own|unsolicited/)).toEqual([]);
    expect(only(after, /^message|^turn_|^one started$/)).toEqual(['one started', 'message one', 'turn_ended one']);
  });

  it('have no request of an agent that has exited, whose end could find the session gone', async () => {
    await using of = fakeHost();
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    expect(of.host.report('a', { kind: 'ask_opened', record })).toBe(true);
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    expect(of.host.report('a', { kind: 'ask_opened', record })).toBe(false);
    expect(of.host.report('a', { kind: 'ask_settled', record })).toBe(true);
    await of.settle();
    expect(only(seen, /^ask|is crashed/)).toEqual(['ask_opened', 'is crashed', 'ask_settled']);
  });

  it('name what a process takes up before anything is run, and whether that waits for the program', async () => {
    await using first = fakeHost();
    await sent(first, 'one');
    first.agents[0]?.begin();
    await first.host.send('a', { uuid: 'two', content: 'more' });
    await first.settle();
    await first.host.close();
    await using second = fakeHost({ ...first.stores });
    const seen = inShortOf(second, 'a');
    await second.host.recover();
    await second.settle();
    expect(seen).toEqual(['held', 'accepted one, cut', 'accepted two']);
    await second.host.restart('a');
    await second.settle();
    expect(seen.slice(3, 5)).toEqual(['not held', 'is starting']);
  });

  it('name what was held back before the message that lets it run', async () => {
    await using of = fakeHost();
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    expect(seen.at(-1)).toBe('held');
    await of.host.send('a', { uuid: 'two', content: 'more' });
    expect(seen.slice(seen.indexOf('held') + 1, seen.indexOf('held') + 3)).toEqual(['not held', 'accepted two']);
  });

  it.each([
    { how: 'closed', end: (of: FakeHost) => of.host.close(), last: 'dropped HOST_CLOSED' },
    { how: 'deleted', end: (of: FakeHost) => of.host.delete('a'), last: 'dropped SESSION_NOT_FOUND' },
  ])('end where it is $how, after those of its turn', async ({ end, last }) => {
    await using of = fakeHost();
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    of.agents[0]?.begin();
    await of.settle();
    await end(of);
    expect(only(seen, /cut|dropped|cancelled/)).toEqual([
      'turn_cut one',
      ...(last.includes('FOUND') ? ['one cancelled'] : []),
      last,
    ]);
  });

  it('have no "idle" that comes after a message was sent, since another one follows', async () => {
    await using of = fakeHost();
    const seen = inShortOf(of, 'a');
    await sent(of, 'one');
    const [agent] = of.agents;
    agent?.begin();
    await of.settle();
    await of.host.send('a', { uuid: 'two', content: 'more', priority: 'next' });
    await of.settle();
    agent?.end('one');
    // It was idle for as long as it had not read the second message.
    agent?.report({ kind: 'idle' });
    await of.settle();
    expect(seen.at(-1)).not.toBe('is idle');
    agent?.answer();
    await of.settle();
    expect(seen.at(-1)).toBe('is idle');
  });
});

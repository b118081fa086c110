import { MemoryLog, type SessionInfo } from '@hexagent/hosting';
import type { ApprovalRecord, SessionFact, TurnOutcome } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { ShownChats, type ShownChatsOptions } from '../src/shown-chats.ts';

const record = (session: string, state: ApprovalRecord['state'] = 'open'): ApprovalRecord => ({
  id: `ask-${session}`,
  session,
  kind: 'permission',
  toolUseId: 'call',
  tool: 'Bash',
  input: {},
  suggestions: [],
  createdAt: 0,
  state,
});

/** Chats over a log, whose sessions have these states. */
function counted(sessions: Readonly<Record<string, Pick<SessionInfo, 'state' | 'pending'>>> = {}): {
  readonly chats: ShownChats;
  readonly followed: Set<string>;
  /** Resolves when the chats have read this. */
  readonly report: (id: string, fact: SessionFact) => Promise<void>;
} {
  const followed = new Set<string>();
  const log = new MemoryLog();
  const report = async (id: string, fact: SessionFact): Promise<void> => {
    await log.append(id, [fact], 1);
    await microtasks();
  };
  const host: ShownChatsOptions['host'] = {
    observe(id, { from = 'now', signal } = {}) {
      followed.add(id);
      signal?.addEventListener('abort', () => followed.delete(id));
      return log.read(id, from, signal);
    },
    report(id, fact) {
      if (sessions[id] !== undefined) void report(id, fact);
      return sessions[id] !== undefined;
    },
    position: () => '',
    logged: async () => {},
    // The fields that are looked at.
    get: async (id) => sessions[id] && ({ id, ...sessions[id] } as SessionInfo),
  };
  const unused = (): never => {
    throw new Error('This is not called here.');
  };
  const chats = new ShownChats({
    host,
    subagents: undefined,
    answers: { permissionModes: [], suggestions: 'session' },
    clock: systemClock,
    onError: unused,
  });
  return { chats, followed, report };
}

describe('What a person is asked', () => {
  it('begins to follow no session that the host does not have', async () => {
    const { chats, followed } = counted();
    chats.approvalChanged('opened', record('own'));
    chats.approvalChanged('settled', record('own', 'lost'));
    await microtasks();
    expect(followed.size).toBe(0);
  });

  it('is shown, and ends following a session whose agent has exited', async () => {
    const { chats, followed, report } = counted({
      parked: { state: 'parked', pending: 0 },
      working: { state: 'running', pending: 1 },
    });
    for (const id of ['parked', 'working']) chats.approvalChanged('opened', record(id));
    await microtasks();
    expect([...followed]).toEqual(['parked', 'working']);
    expect(chats.turnOf('parked')).toBe('ask-parked');
    for (const id of ['parked', 'working']) chats.approvalChanged('settled', record(id, 'answered'));
    await microtasks();
    expect([...followed]).toEqual(['working']);
    await report('working', { kind: 'state', state: 'parked' });
    expect(followed.size).toBe(0);
  });

  it('is not shown any more when the agent that asked has exited', async () => {
    const { chats, followed, report } = counted({ working: { state: 'running', pending: 0 } });
    chats.approvalChanged('opened', record('working'));
    await microtasks();
    expect(chats.turnOf('working')).toBe('ask-working');
    await report('working', { kind: 'state', state: 'parked' });
    expect(chats.turnOf('working')).toBeUndefined();
    expect(followed.size).toBe(0);
  });

  it('leaves a session followed that has a message which was cut off', async () => {
    const { chats, followed, report } = counted({ held: { state: 'parked', pending: 1 } });
    chats.follow('held');
    await report('held', { kind: 'accepted', uuid: 'cut', input: { content: 'Go' }, isCut: true });
    chats.approvalChanged('settled', record('held', 'lost'));
    await microtasks();
    expect([...followed]).toEqual(['held']);
  });
});

describe('A chat that is followed late', () => {
  it('shows the turn that runs from its beginning', async () => {
    const { chats, report } = counted({ chat: { state: 'running', pending: 1 } });
    await report('chat', { kind: 'accepted', uuid: 'one', input: { content: 'Go' }, isCut: false });
    chats.follow('chat');
    await microtasks();
    expect(chats.turnOf('chat')).toBe('one');
  });
});

describe('A chat whose turn failed', () => {
  it('is shown as failed until its next turn begins', async () => {
    const { chats, report } = counted({ chat: { state: 'running', pending: 0 } });
    const session = { id: 'chat', isHeld: false, isCrashing: false } as SessionInfo; // the fields that are looked at
    chats.follow('chat');
    const outcome = { kind: 'failed' } as TurnOutcome; // the field that is looked at
    await report('chat', { kind: 'turn_started', turn: 'one', isUnsolicited: false, within: undefined });
    await report('chat', { kind: 'turn_ended', turn: 'one', outcome });
    expect(chats.stateOf(session)).toBe('failed');
    await report('chat', { kind: 'turn_started', turn: 'two', isUnsolicited: false, within: undefined });
    expect(chats.stateOf(session)).toBe('running');
    await report('chat', { kind: 'turn_ended', turn: 'two', outcome: { kind: 'cancelled', why: 'withdrawn' } });
    expect(chats.stateOf(session)).toBe('idle');
  });
});

import type { HostListener, SessionInfo } from '@hexagent/hosting';
import type { ApprovalRecord, SessionFact, TurnOutcome } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { HostedChats, type HostedChatsOptions } from '../src/hosted-chats.ts';

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

/** Chats over a host whose listeners are counted, and whose sessions have these states. */
function counted(sessions: Readonly<Record<string, Pick<SessionInfo, 'state' | 'pending'>>> = {}): {
  readonly chats: HostedChats;
  readonly followed: Map<string, HostListener>;
} {
  const followed = new Map<string, HostListener>();
  const host: Pick<HostedChatsOptions['host'], 'observe' | 'get'> = {
    observe(id, listener) {
      followed.set(id, listener);
      return () => void followed.delete(id);
    },
    // The fields that are looked at.
    get: async (id) => sessions[id] && ({ id, ...sessions[id] } as SessionInfo),
  };
  const unused = (): never => {
    throw new Error('This is not called here.');
  };
  const chats = new HostedChats({
    host: host as HostedChatsOptions['host'], // the methods that are called here
    subagents: undefined,
    answers: { permissionModes: [], suggestions: 'session' },
    fileMentions: false,
    clock: systemClock,
    onError: unused,
    nextOf: unused,
    applyOptions: unused,
    titleOf: unused,
    rename: unused,
    findStored: unused,
  });
  return { chats, followed };
}

describe('What is settled', () => {
  it('begins to follow no session, such as those of an earlier process whose requests are lost', async () => {
    const { chats, followed } = counted();
    for (let at = 0; at < 100; at += 1) chats.approvalChanged('settled', record(`session ${at}`, 'lost'));
    await microtasks();
    expect(followed.size).toBe(0);
  });

  it('ends following a session that the host does not have, or whose agent has exited', async () => {
    const { chats, followed } = counted({
      parked: { state: 'parked', pending: 0 },
      working: { state: 'running', pending: 1 },
    });
    for (const id of ['own', 'parked', 'working']) chats.approvalChanged('opened', record(id));
    expect([...followed.keys()]).toEqual(['own', 'parked', 'working']);
    expect(chats.turnOf('own')).toBe('ask-own');
    for (const id of ['own', 'parked', 'working']) chats.approvalChanged('settled', record(id, 'answered'));
    await microtasks();
    expect([...followed.keys()]).toEqual(['working']);
    followed.get('working')?.({ kind: 'state', state: 'parked', seq: '9' });
    expect(followed.size).toBe(0);
  });

  it('leaves a session followed that has a message which was cut off', async () => {
    const { chats, followed } = counted({ held: { state: 'parked', pending: 1 } });
    chats.follow('held');
    followed.get('held')?.({ kind: 'accepted', uuid: 'cut', input: { content: 'Go' }, isCut: true, seq: '1' });
    chats.approvalChanged('settled', record('held', 'lost'));
    await microtasks();
    expect([...followed.keys()]).toEqual(['held']);
  });
});

describe('A chat whose turn failed', () => {
  it('is shown as failed until its next turn begins', () => {
    const { chats, followed } = counted();
    const session = { id: 'chat', isHeld: false, isCrashing: false } as SessionInfo; // the fields that are looked at
    chats.follow('chat');
    const receive = (fact: SessionFact): void => followed.get('chat')?.({ ...fact, seq: '1' });
    const outcome = { kind: 'failed' } as TurnOutcome; // the field that is looked at
    receive({ kind: 'turn_started', turn: 'one', isUnsolicited: false, within: undefined });
    receive({ kind: 'turn_ended', turn: 'one', outcome });
    expect(chats.stateOf(session)).toBe('failed');
    receive({ kind: 'turn_started', turn: 'two', isUnsolicited: false, within: undefined });
    expect(chats.stateOf(session)).toBe('running');
    receive({ kind: 'turn_ended', turn: 'two', outcome: { kind: 'cancelled', why: 'withdrawn' } });
    expect(chats.stateOf(session)).toBe('idle');
  });
});

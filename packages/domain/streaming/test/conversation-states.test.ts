import { describe, expect, it } from 'vitest';
import { AgentExitedError } from '@hexagent/ports';
import {
  isOver,
  isReady,
  maySend,
  nextConversationState,
  reasonOf,
  type ConversationStateEvent,
  type ConversationState,
} from '../src/conversation-state.ts';

const reason = new Error('Closed.');
const other = new Error('Aborted later.');
const exit = { code: 0, signal: null, stderr: '', closed: false };
const exitError = new AgentExitedError('The agent exited.', { exit });

const opening: ConversationState = { name: 'opening' };
const running: ConversationState = { name: 'running' };
const finishing = (wasReady: boolean): ConversationState => ({ name: 'finishing', wasReady });
const leaving = (wasReady: boolean): ConversationState => ({ name: 'leaving', wasReady });
const closing = (wasReady: boolean): ConversationState => ({ name: 'closing', wasReady, reason });
const ended = (why?: Error): ConversationState => ({ name: 'ended', exitError, reason: why });

const initialized: ConversationStateEvent = { name: 'initialized' };
const finish: ConversationStateEvent = { name: 'finish' };
const inputEnded: ConversationStateEvent = { name: 'inputEnded' };
const close: ConversationStateEvent = { name: 'close', reason };
const exited: ConversationStateEvent = { name: 'exited', exitError };

/** What each event makes of each state; `same` is the very same object. */
const table: readonly (readonly [
  state: ConversationState,
  event: ConversationStateEvent,
  next: ConversationState | 'same',
])[] = [
  [opening, initialized, running],
  [running, initialized, 'same'],
  [finishing(false), initialized, finishing(true)],
  [finishing(true), initialized, 'same'],
  [leaving(false), initialized, leaving(true)],
  [closing(false), initialized, closing(true)],
  [closing(true), initialized, 'same'],

  [opening, finish, finishing(false)],
  [running, finish, finishing(true)],
  [finishing(true), finish, 'same'],
  [leaving(true), finish, 'same'],
  [closing(true), finish, 'same'],

  [opening, inputEnded, 'same'],
  [running, inputEnded, 'same'],
  [finishing(true), inputEnded, leaving(true)],
  [leaving(true), inputEnded, 'same'],
  [closing(true), inputEnded, 'same'],

  [opening, close, closing(false)],
  [running, close, closing(true)],
  [finishing(false), close, closing(false)],
  [leaving(true), close, closing(true)],
  // The first reason wins.
  [closing(true), { name: 'close', reason: other }, 'same'],

  [opening, exited, ended()],
  [running, exited, ended()],
  [finishing(true), exited, ended()],
  [leaving(true), exited, ended()],
  [closing(true), exited, ended(reason)],

  [ended(), initialized, 'same'],
  [ended(), finish, 'same'],
  [ended(), inputEnded, 'same'],
  [ended(), close, 'same'],
  [ended(reason), exited, 'same'],
];

describe('A conversation', () => {
  it.each(table.map(([state, event, next]) => [state.name, event.name, { state, event, next }] as const))(
    'that is %s changes as in the table upon %s',
    (_state, _event, { state, event, next }) => {
      const after = nextConversationState(state, event);
      expect(after === state ? 'same' : after).toEqual(next);
    },
  );

  it.each<[ConversationState, { send: boolean; over: boolean; why: Error | undefined }]>([
    [opening, { send: true, over: false, why: undefined }],
    [running, { send: true, over: false, why: undefined }],
    [finishing(true), { send: false, over: false, why: undefined }],
    [leaving(true), { send: false, over: false, why: undefined }],
    [closing(true), { send: false, over: true, why: reason }],
    [ended(), { send: false, over: true, why: exitError }],
    [ended(reason), { send: false, over: true, why: reason }],
  ])('that is $name determines whether messages may be sent, and why it is over', (state, { send, over, why }) => {
    expect([maySend(state), isOver(state), reasonOf(state)]).toEqual([send, over, why]);
  });

  it('was ready if the agent answered `initialize` at any time before', () => {
    const states = [opening, running, finishing(true), finishing(false), leaving(true), closing(false)] as const;
    expect(states.map((state) => state.name !== 'ended' && isReady(state))).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });
});

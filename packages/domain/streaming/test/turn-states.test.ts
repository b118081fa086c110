import { describe, expect, it } from 'vitest';
import type { TurnOutcome } from '@hexagent/ports';
import { nextTurnState, sentTurn, type TurnEvent, type TurnState } from '../src/turn-state.ts';

const completed = { kind: 'completed', text: 'x' } as TurnOutcome;
const failed = { kind: 'failed', text: 'x' } as TurnOutcome;
const open = (name: 'sent' | 'queued' | 'running' | 'awaitingResult', interruptRequested = false): TurnState => ({
  name,
  interruptRequested,
});
const ended = (outcome: TurnOutcome): TurnState => ({ name: 'ended', outcome });
const held = (outcome: TurnOutcome): TurnState => ({ name: 'resultHeld', outcome });
const cancelled = (why: 'withdrawn' | 'repeated'): TurnState => ended({ kind: 'cancelled', why });
const broken: TurnState = { name: 'failed', error: 'broken' };

const result: TurnEvent = { name: 'result', outcome: completed, isDecided: true };
const undecided: TurnEvent = { name: 'result', outcome: completed, isDecided: false };
const failure: TurnEvent = { name: 'failed', error: 'broken' };

/** What each event makes of each state; `same` is the very same object. */
const table: readonly (readonly [state: TurnState, event: TurnEvent, next: TurnState | 'same'])[] = [
  [open('sent'), { name: 'confirmed' }, open('queued')],
  [open('sent', true), { name: 'confirmed' }, open('queued', true)],
  [open('queued'), { name: 'confirmed' }, 'same'],
  [open('running'), { name: 'confirmed' }, 'same'],
  [open('awaitingResult'), { name: 'confirmed' }, 'same'],
  [held(completed), { name: 'confirmed' }, 'same'],

  [open('sent', true), { name: 'started' }, open('running', true)],
  [open('queued'), { name: 'started' }, open('running')],
  [open('running'), { name: 'started' }, 'same'],
  [open('awaitingResult'), { name: 'started' }, 'same'],
  [held(completed), { name: 'started' }, 'same'],

  [open('sent'), { name: 'interruptRequested' }, open('sent', true)],
  [open('queued'), { name: 'interruptRequested' }, open('queued', true)],
  [open('running'), { name: 'interruptRequested' }, open('running', true)],
  [open('awaitingResult'), { name: 'interruptRequested' }, open('awaitingResult', true)],
  [held(completed), { name: 'interruptRequested' }, 'same'],

  // A message that never ran.
  [open('sent'), { name: 'completed' }, cancelled('repeated')],
  [open('queued'), { name: 'completed' }, cancelled('repeated')],
  [open('sent'), { name: 'cancelled' }, cancelled('withdrawn')],
  [open('queued'), { name: 'cancelled' }, cancelled('withdrawn')],
  // A folded message, of which the result is still to come.
  [open('running'), { name: 'completed' }, open('awaitingResult')],
  [open('running', true), { name: 'cancelled' }, open('awaitingResult', true)],
  [open('awaitingResult'), { name: 'completed' }, open('awaitingResult')],
  // A result that did not show whether it was interrupted.
  [held(completed), { name: 'completed' }, ended(completed)],
  [held(completed), { name: 'cancelled' }, ended({ ...completed, kind: 'interrupted' } as TurnOutcome)],
  [held(failed), { name: 'cancelled' }, ended(failed)],

  [open('sent'), { name: 'agentIdle' }, 'same'],
  [open('queued'), { name: 'agentIdle' }, 'same'],
  [open('running'), { name: 'agentIdle' }, 'same'],
  [open('awaitingResult'), { name: 'agentIdle' }, cancelled('withdrawn')],
  [held(completed), { name: 'agentIdle' }, ended(completed)],

  [open('sent'), result, ended(completed)],
  [open('queued'), result, ended(completed)],
  [open('running'), result, ended(completed)],
  [open('awaitingResult'), result, ended(completed)],
  [held(failed), result, ended(completed)],
  [open('running', true), undecided, held(completed)],
  [open('awaitingResult', true), undecided, held(completed)],

  [open('sent'), failure, broken],
  [open('running'), failure, broken],
  [held(completed), failure, broken],
];

const events: readonly TurnEvent[] = [
  ...(['confirmed', 'started', 'interruptRequested', 'completed', 'cancelled', 'agentIdle'] as const).map((name) => ({
    name,
  })),
  result,
  undecided,
  failure,
];

const nameOf = (state: TurnState): string =>
  'interruptRequested' in state && state.interruptRequested ? `${state.name}, to be interrupted` : state.name;

describe('A turn', () => {
  it.each(table.map(([state, event, next]) => [nameOf(state), event.name, { state, event, next }] as const))(
    'that is %s changes as in the table when it is %s',
    (_state, _event, { state, event, next }) => {
      const after = nextTurnState(state, event);
      expect(after === state ? 'same' : after).toEqual(next);
    },
  );

  it.each(events)('that is over stays as it is: $name', (event) => {
    for (const state of [ended(completed), cancelled('withdrawn'), broken])
      expect(nextTurnState(state, event)).toBe(state);
  });

  it('begins as sent', () => {
    expect(sentTurn).toEqual(open('sent'));
  });
});

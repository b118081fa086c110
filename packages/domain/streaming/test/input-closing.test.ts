import { describe, expect, it } from 'vitest';
import { mayCloseInput, type InputState } from '../src/may-close-input.ts';

const done: InputState = {
  promptEnded: true,
  openTurns: 0,
  callbacks: false,
  requestsInFlight: 0,
  shells: 0,
  delegated: 0,
  backgroundTasks: 'stop',
  sessionState: 'idle',
};

const table: readonly (readonly [sentence: string, change: Partial<InputState>, close: boolean])[] = [
  ['closes when everything has ended', {}, true],
  ['stays open while more messages may follow', { promptEnded: false }, false],
  ['stays open while a turn is open', { openTurns: 1 }, false],
  ['stays open while a request of ours or of the agent is in flight', { requestsInFlight: 1 }, false],
  [
    'stays open for callbacks until the agent reports that it is idle',
    { callbacks: true, sessionState: 'running' },
    false,
  ],
  [
    'stays open for callbacks while the agent waits for a person',
    { callbacks: true, sessionState: 'requires_action' },
    false,
  ],
  [
    'closes after the last turn when nobody can be asked, although the agent never reports that it is idle',
    { sessionState: 'running' },
    true,
  ],
  ['closes by turns and tasks alone when the agent is too old to report its state', { sessionState: undefined }, true],
  [
    'stays open for callbacks of a delegated task of an old agent',
    { sessionState: undefined, callbacks: true, delegated: 1 },
    false,
  ],
  ['closes with callbacks once nothing runs', { callbacks: true }, true],
  ['stays open while a shell that is to be stopped runs', { shells: 1 }, false],
  ['leaves shells to the agent when nobody can be asked', { shells: 1, backgroundTasks: 'wait' }, true],
  [
    'stays open for callbacks while a shell runs that is waited for',
    { shells: 1, backgroundTasks: 'wait', callbacks: true },
    false,
  ],
  [
    'stays open for callbacks while a shell and a delegated task run',
    { shells: 1, delegated: 1, backgroundTasks: 'wait', callbacks: true },
    false,
  ],
  ['leaves a delegated task to the agent when nobody can be asked', { delegated: 1 }, true],
];

describe('#1 The agent’s input', () => {
  it.each(table)('%s', (_, change, close) => {
    expect(mayCloseInput({ ...done, ...change })).toBe(close);
  });
});

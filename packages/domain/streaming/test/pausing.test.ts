import { describe, expect, it } from 'vitest';
import { mayPause, type ReadingDecision, type ReadingState } from '@hexagent/streaming';

const quiet: ReadingState = {
  unreadBytes: 0,
  callbacks: false,
  openRequests: 0,
  closing: false,
  softMarkBytes: 8,
  hardMarkBytes: 64,
  paused: false,
};

const table: readonly (readonly [sentence: string, change: Partial<ReadingState>, decision: ReadingDecision])[] = [
  ['goes on while little is unread', { unreadBytes: 8 }, 'read'],
  ['pauses above the soft mark when nobody can be asked', { unreadBytes: 9 }, 'pause'],
  ['goes on above the soft mark while callbacks are registered', { unreadBytes: 64, callbacks: true }, 'read'],
  ['stalls above the hard mark even with callbacks', { unreadBytes: 65, callbacks: true }, 'stall'],
  ['goes on while a request of ours waits for its answer', { unreadBytes: 1000, openRequests: 1 }, 'read'],
  ['goes on while closing, since what is read is discarded', { unreadBytes: 1000, closing: true }, 'read'],
  ['stays paused until half the mark is unread', { unreadBytes: 5, paused: true }, 'pause'],
  ['resumes at half the mark', { unreadBytes: 4, paused: true }, 'read'],
  ['stays stalled until half the hard mark is unread', { unreadBytes: 33, paused: true, callbacks: true }, 'stall'],
  ['never lets the soft mark pass a lower hard mark', { unreadBytes: 5, hardMarkBytes: 4 }, 'pause'],
];

describe('#40 Reading', () => {
  it.each(table)('%s', (_, change, decision) => {
    expect(mayPause({ ...quiet, ...change })).toBe(decision);
  });
});

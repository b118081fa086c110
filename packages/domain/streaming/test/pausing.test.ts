import { describe, expect, it } from 'vitest';
import { decideReading, type ReadingDecision, type ReadingState } from '../src/decide-reading.ts';

const quiet: ReadingState = {
  unreadBytes: 0,
  callbacks: false,
  openRequests: 0,
  closing: false,
  softMarkBytes: 8,
  hardMarkBytes: 64,
  last: 'read',
};

const table: readonly (readonly [sentence: string, change: Partial<ReadingState>, decision: ReadingDecision])[] = [
  ['goes on while little is unread', { unreadBytes: 8 }, 'read'],
  ['pauses above the soft mark when nobody can be asked', { unreadBytes: 9 }, 'pause'],
  ['goes on above the soft mark while callbacks are registered', { unreadBytes: 64, callbacks: true }, 'read'],
  ['stalls above the hard mark even with callbacks', { unreadBytes: 65, callbacks: true }, 'stall'],
  ['goes on above the soft mark while a request of ours is open', { unreadBytes: 64, openRequests: 1 }, 'read'],
  ['stalls above the hard mark even while a request of ours is open', { unreadBytes: 65, openRequests: 1 }, 'stall'],
  [
    'stalls above a hard mark that is lower than the soft one',
    { unreadBytes: 5, openRequests: 1, hardMarkBytes: 4 },
    'stall',
  ],
  ['goes on while closing, since what is read is discarded', { unreadBytes: 1000, closing: true }, 'read'],
  [
    'goes on while closing, whoever waits',
    { unreadBytes: 1000, closing: true, callbacks: true, openRequests: 1, last: 'stall' },
    'read',
  ],
  ['stays paused until half the mark is unread', { unreadBytes: 5, last: 'pause' }, 'pause'],
  ['resumes at half the mark', { unreadBytes: 4, last: 'pause' }, 'read'],
  ['stays stalled until half the hard mark is unread', { unreadBytes: 33, last: 'stall', callbacks: true }, 'stall'],
  ['stays stalled for a request of ours as well', { unreadBytes: 33, last: 'stall', openRequests: 1 }, 'stall'],
  ['resumes at half the hard mark', { unreadBytes: 32, last: 'stall', openRequests: 1 }, 'read'],
  [
    'goes on up to the hard mark when a request of ours comes during a pause',
    { unreadBytes: 64, last: 'pause', openRequests: 1 },
    'read',
  ],
  ['pauses when a stall ends because nobody waits any more', { unreadBytes: 33, last: 'stall' }, 'pause'],
  ['never lets the soft mark pass a lower hard mark', { unreadBytes: 5, hardMarkBytes: 4 }, 'pause'],
];

describe('#40 Reading', () => {
  it.each(table)('%s', (_, change, decision) => {
    expect(decideReading({ ...quiet, ...change })).toBe(decision);
  });
});

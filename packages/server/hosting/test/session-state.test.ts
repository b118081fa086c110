import type { SessionState } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { isOpen, nextSessionState, type SessionChange } from '../src/session-state.ts';

const states = ['parked', 'starting', 'idle', 'running', 'awaiting-approval', 'draining', 'crashed'] as const;
const events = ['start', 'opened', 'busy', 'asked', 'answered', 'quiet', 'drain', 'gone'] as const;

/** Every transition; what is not here leaves the state as it is. */
const expected: Readonly<Record<SessionState, Partial<Record<SessionChange, SessionState>>>> = {
  parked: { start: 'starting' },
  starting: { opened: 'idle', drain: 'draining', gone: 'crashed' },
  idle: { busy: 'running', asked: 'awaiting-approval', drain: 'draining', gone: 'crashed' },
  running: { asked: 'awaiting-approval', quiet: 'idle', drain: 'draining', gone: 'crashed' },
  'awaiting-approval': { answered: 'running', quiet: 'idle', drain: 'draining', gone: 'crashed' },
  draining: { gone: 'parked' },
  crashed: { start: 'starting', drain: 'parked' },
};

describe('A hosted session', () => {
  it.each(states.flatMap((state) => events.map((event) => [state, event] as const)))(
    'that is %s changes on %s as in the table',
    (state, event) => {
      expect(nextSessionState(state, event)).toBe(expected[state][event] ?? state);
    },
  );

  it('is given messages only while its agent is there and not being ended', () => {
    expect(states.filter(isOpen)).toEqual(['idle', 'running', 'awaiting-approval']);
  });
});

import type { SessionState } from '@hexagent/ports';

/** What may happen to a hosted session. */
export type SessionChange =
  | 'start'
  /** The agent runs. */
  | 'opened'
  /** A message was given to the agent, or it began a turn by itself. */
  | 'busy'
  /** A call waits for a person. */
  | 'asked'
  /** No call waits any more. */
  | 'answered'
  /** No turn, task or queued message is alive. */
  | 'quiet'
  | 'drain'
  /** The agent has exited, or could not be started. */
  | 'gone';

type Row = Readonly<Partial<Record<SessionChange, SessionState>>>;

/** Every transition there is. What a row does not have leaves the state as it is. */
const transitions: Readonly<Record<SessionState, Row>> = {
  parked: { start: 'starting' },
  starting: { opened: 'idle', drain: 'draining', gone: 'crashed' },
  idle: { busy: 'running', asked: 'awaiting-approval', drain: 'draining', gone: 'crashed' },
  running: { asked: 'awaiting-approval', quiet: 'idle', drain: 'draining', gone: 'crashed' },
  'awaiting-approval': { answered: 'running', quiet: 'idle', drain: 'draining', gone: 'crashed' },
  draining: { gone: 'parked' },
  crashed: { start: 'starting', drain: 'parked' },
};

export function nextSessionState(state: SessionState, event: SessionChange): SessionState {
  return transitions[state][event] ?? state;
}

/** Whether an agent is there to be given messages. */
export function isOpen(state: SessionState): boolean {
  return state === 'idle' || state === 'running' || state === 'awaiting-approval';
}

/** Whether an agent is there, or is being started: its exit is followed by another state. */
export function hasAgent(state: SessionState): boolean {
  return state !== 'parked' && state !== 'crashed';
}

/** What decides whether reading goes on. */
export interface ReadingState {
  readonly unreadBytes: number;
  /** The agent may ask something of us, and what it asks lies behind what is unread. */
  readonly callbacks: boolean;
  /** What somebody waits for that lies behind what is unread: answers to requests of ours, ends of turns. */
  readonly openRequests: number;
  readonly closing: boolean;
  readonly softMarkBytes: number;
  readonly hardMarkBytes: number;
  /** What was decided last. A pause ends at half its mark, so that it does not flutter. */
  readonly last: ReadingDecision;
}

/** `pause`: the reader is slow and nobody waits for the agent. `stall`: the same, but someone may wait. */
export type ReadingDecision = 'read' | 'pause' | 'stall';

/** Whether to go on reading what the agent writes. Control never waits behind less than the hard mark; memory never grows beyond it. */
export function mayPause(state: ReadingState): ReadingDecision {
  if (state.closing) return 'read';
  const isAwaited = state.callbacks || state.openRequests > 0;
  const mark = isAwaited ? state.hardMarkBytes : Math.min(state.softMarkBytes, state.hardMarkBytes);
  const pause = isAwaited ? 'stall' : 'pause';
  const limit = state.last === pause ? mark / 2 : mark;
  return state.unreadBytes <= limit ? 'read' : pause;
}

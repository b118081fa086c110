/** What decides whether reading continues. */
export interface ReadingState {
  readonly unreadBytes: number;
  /** Callbacks are registered: a request of the agent may lie behind what is unread. */
  readonly callbacks: boolean;
  /** How many answers and ends of turns are awaited; they may lie behind what is unread. */
  readonly openRequests: number;
  readonly closing: boolean;
  readonly softMarkBytes: number;
  readonly hardMarkBytes: number;
  /** The last decision. A pause ends at half its mark, so that reading does not start and stop for each message. */
  readonly last: ReadingDecision;
}

/** `pause`: the reader is slow, and nothing of the agent is awaited. `stall`: something is awaited, or may be. */
export type ReadingDecision = 'read' | 'pause' | 'stall';

/** Whether reading continues. Control requests never wait behind less than the hard mark; memory never grows beyond it. */
export function decideReading(state: ReadingState): ReadingDecision {
  if (state.closing) return 'read';
  const isAwaited = state.callbacks || state.openRequests > 0;
  const mark = isAwaited ? state.hardMarkBytes : Math.min(state.softMarkBytes, state.hardMarkBytes);
  const pause = isAwaited ? 'stall' : 'pause';
  const limit = state.last === pause ? mark / 2 : mark;
  return state.unreadBytes <= limit ? 'read' : pause;
}

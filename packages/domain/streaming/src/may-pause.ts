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
  /** Whether reading is paused now: it resumes at half the mark, so that it does not flutter. */
  readonly paused: boolean;
}

/** `pause`: the reader is slow and nobody waits for the agent. `stall`: the same, but someone may wait. */
export type ReadingDecision = 'read' | 'pause' | 'stall';

/** Whether to go on reading what the agent writes. Control never waits behind less than the hard mark; memory never grows beyond it. */
export function mayPause(state: ReadingState): ReadingDecision {
  if (state.closing || state.openRequests > 0) return 'read';
  const mark = state.callbacks ? state.hardMarkBytes : Math.min(state.softMarkBytes, state.hardMarkBytes);
  const limit = state.paused ? mark / 2 : mark;
  if (state.unreadBytes <= limit) return 'read';
  return state.callbacks ? 'stall' : 'pause';
}

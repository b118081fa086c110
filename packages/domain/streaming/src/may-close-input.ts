/** What decides whether the agent's input may be closed. */
export interface InputState {
  /** Nothing more will be sent. */
  readonly promptEnded: boolean;
  /** Messages sent and not answered, and turns the agent began by itself. */
  readonly openTurns: number;
  /** There are features that answer the agent: it may still ask something of the program. */
  readonly callbacks: boolean;
  /** Open requests that are waited for, in either direction. */
  readonly requestsInFlight: number;
  /** Background shells that run. */
  readonly shells: number;
  /** Delegated tasks that run; each will report with its own turn. */
  readonly delegated: number;
  /** `stop`: shells must have been stopped first. `wait`: the agent waits for them. */
  readonly backgroundTasks: 'stop' | 'wait';
  /** The session state that the agent reported last; `undefined` for an agent too old to report it. */
  readonly sessionState: string | undefined;
}

/**
 * Whether the agent's input may be closed now. Never a matter of time: closing early kills every callback (#1), and
 * closing while a background shell runs leaves an agent whose requests can no longer be answered.
 */
export function mayCloseInput(state: InputState): boolean {
  if (!state.promptEnded || state.openTurns > 0 || state.requestsInFlight > 0) return false;
  if (state.backgroundTasks === 'stop' && state.shells > 0) return false;
  // Beyond its turns the agent needs its input only for the answers of callbacks.
  if (!state.callbacks) return true;
  if (state.sessionState !== undefined && state.sessionState !== 'idle') return false;
  return state.shells + state.delegated === 0;
}

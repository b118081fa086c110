/** What decides whether the agent's input may be closed. */
export interface InputState {
  /** Nothing more will be said. */
  readonly promptEnded: boolean;
  /** Messages sent and not answered, and turns the agent began by itself. */
  readonly openTurns: number;
  /** Permission, hooks, in-process servers, elicitation or dialogs: the agent may still ask something of us. */
  readonly callbacks: boolean;
  /** Requests on their way that are waited for, in either direction. */
  readonly requestsInFlight: number;
  /** Background shells that run. */
  readonly shells: number;
  /** Delegated tasks that run; each will report with a turn of its own. */
  readonly delegated: number;
  /** What to do about shells: they must have been stopped first, or the agent waits for them. */
  readonly backgroundTasks: 'stop' | 'wait';
  /** What the agent last said about itself; `undefined` from an agent too old to say. */
  readonly sessionState: string | undefined;
}

/**
 * Whether the agent's input may be closed now. Never a matter of time: closing early kills every callback (#1), and
 * closing while a background shell runs leaves an agent that nobody can answer any more.
 */
export function mayCloseInput(state: InputState): boolean {
  if (!state.promptEnded || state.openTurns > 0 || state.requestsInFlight > 0) return false;
  if (state.backgroundTasks === 'stop' && state.shells > 0) return false;
  // What an agent does beyond its turns needs its input only for the answers of callbacks.
  if (!state.callbacks) return true;
  if (state.sessionState !== undefined && state.sessionState !== 'idle') return false;
  return state.shells + state.delegated === 0;
}

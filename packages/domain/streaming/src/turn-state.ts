import type { TurnOutcome } from '@hexagent/ports';

/** Where a turn stands, from its message to its end. */
export type TurnState =
  /** Not over. `interruptRequested`: the agent was asked to stop it, and the outcome is not known yet. */
  | {
      /**
       * - `sent`: the agent has shown nothing of the message yet.
       * - `queued`: the agent has the message.
       * - `running`: the agent works on it, alone or folded into another turn.
       * - `awaitingResult`: the agent has finished the message, and its result has not arrived.
       */
      readonly name: 'sent' | 'queued' | 'running' | 'awaitingResult';
      readonly interruptRequested: boolean;
    }
  /** The result has arrived, and whether it was interrupted is decided by the frame that follows. */
  | { readonly name: 'resultHeld'; readonly outcome: TurnOutcome }
  | { readonly name: 'ended'; readonly outcome: TurnOutcome }
  /** It has no outcome: the conversation broke or was closed, or its message could not be written. */
  | { readonly name: 'failed'; readonly error: unknown };

/** What may happen to a turn. */
export type TurnEvent =
  /** The agent has the message. */
  | { readonly name: 'confirmed' }
  | { readonly name: 'started' }
  | { readonly name: 'interruptRequested' }
  /** The agent has finished the message. */
  | { readonly name: 'completed' | 'cancelled' }
  /** The result of the turn. `isDecided` is `false` where it does not show whether the turn was interrupted. */
  | { readonly name: 'result'; readonly outcome: TurnOutcome; readonly isDecided: boolean }
  /** The agent is idle, so nothing more follows of what it began before. */
  | { readonly name: 'agentIdle' }
  | { readonly name: 'failed'; readonly error: unknown };

export const sentTurn: TurnState = { name: 'sent', interruptRequested: false };

/** The state after an event. What does not matter to a state leaves it the same object; the ends are final. */
export function nextTurnState(state: TurnState, event: TurnEvent): TurnState {
  if (state.name === 'ended' || state.name === 'failed') return state;
  if (event.name === 'failed') return event;
  if (event.name === 'result') return { name: event.isDecided ? 'ended' : 'resultHeld', outcome: event.outcome };
  return state.name === 'resultHeld' ? decide(state, event) : advance(state, event);
}

type OpenState = Extract<TurnState, { readonly interruptRequested: boolean }>;
type HeldState = Extract<TurnState, { readonly name: 'resultHeld' }>;
type OtherEvent = Exclude<TurnEvent, { readonly name: 'failed' | 'result' }>;

function advance(state: OpenState, { name }: OtherEvent): TurnState {
  const hasBegun = state.name === 'running' || state.name === 'awaitingResult';
  switch (name) {
    case 'confirmed':
      return state.name === 'sent' ? { ...state, name: 'queued' } : state;
    case 'started':
      return hasBegun ? state : { ...state, name: 'running' };
    case 'interruptRequested':
      return { ...state, interruptRequested: true };
    case 'completed':
    case 'cancelled':
      // A folded message is completed before the result that names it comes.
      if (hasBegun) return { ...state, name: 'awaitingResult' };
      // A message that was answered has ended by now, so this one never ran.
      return cancelled(name === 'completed' ? 'repeated' : 'withdrawn');
    case 'agentIdle':
      break;
  }
  return state.name === 'awaitingResult' ? cancelled('withdrawn') : state;
}

function decide(state: HeldState, { name }: OtherEvent): TurnState {
  if (name === 'cancelled') return { name: 'ended', outcome: asInterrupted(state.outcome) };
  return name === 'completed' || name === 'agentIdle' ? { name: 'ended', outcome: state.outcome } : state;
}

function cancelled(why: 'withdrawn' | 'repeated'): TurnState {
  return { name: 'ended', outcome: { kind: 'cancelled', why } };
}

function asInterrupted(outcome: TurnOutcome): TurnOutcome {
  return outcome.kind === 'completed' ? { ...outcome, kind: 'interrupted' } : outcome;
}

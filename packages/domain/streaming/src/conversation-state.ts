import type { AgentExitedError } from '@hexagent/ports';

/** Where a conversation stands, from its agent's start to its exit. */
export type ConversationState =
  /**
   * - `opening`: the agent has not answered `initialize`; messages may be sent all the same.
   * - `running`: it has.
   */
  | { readonly name: 'opening' | 'running' }
  /**
   * - `finishing`: nothing more is sent; the input stays open until nothing can need it.
   * - `leaving`: the input was ended, and the agent exits.
   */
  | { readonly name: 'finishing' | 'leaving'; readonly wasReady: boolean }
  /** Nothing more is sent or delivered, for this reason; the agent is being ended. */
  | { readonly name: 'closing'; readonly wasReady: boolean; readonly reason: Error }
  /** The agent has exited. `reason` is what it was closed for, if it was. */
  | {
      readonly name: 'ended';
      readonly exitError: AgentExitedError;
      readonly reason: Error | undefined;
    };

/** What may happen to a conversation. */
export type ConversationStateEvent =
  | { readonly name: 'initialized' }
  | { readonly name: 'finish' }
  | { readonly name: 'inputEnded' }
  /** It is closed, is aborted, or broke. */
  | { readonly name: 'close'; readonly reason: Error }
  | { readonly name: 'exited'; readonly exitError: AgentExitedError };

/** The state after an event. An event without effect leaves the same object; the first end wins. */
export function nextConversationState(state: ConversationState, event: ConversationStateEvent): ConversationState {
  if (state.name === 'ended') return state;
  switch (event.name) {
    case 'initialized':
      if ('wasReady' in state) return state.wasReady ? state : { ...state, wasReady: true };
      return state.name === 'opening' ? { name: 'running' } : state;
    case 'finish':
      return maySend(state) ? { name: 'finishing', wasReady: isReady(state) } : state;
    case 'inputEnded':
      return state.name === 'finishing' ? { ...state, name: 'leaving' } : state;
    case 'close':
      return state.name === 'closing' ? state : { name: 'closing', wasReady: isReady(state), reason: event.reason };
    case 'exited':
      break;
  }
  const reason = state.name === 'closing' ? state.reason : undefined;
  return { name: 'ended', exitError: event.exitError, reason };
}

/** Whether messages may be sent. */
export function maySend({ name }: ConversationState): boolean {
  return name === 'opening' || name === 'running';
}

/** Whether the agent takes no requests any more, and only its end is delivered. */
export function isOver({ name }: ConversationState): boolean {
  return name === 'closing' || name === 'ended';
}

/** Why it is over. */
export function reasonOf(state: ConversationState): Error | undefined {
  if (state.name === 'ended') return state.reason ?? state.exitError;
  return state.name === 'closing' ? state.reason : undefined;
}

/** Whether the agent has answered `initialize`. */
export function isReady(state: Exclude<ConversationState, { readonly name: 'ended' }>): boolean {
  return 'wasReady' in state ? state.wasReady : state.name === 'running';
}

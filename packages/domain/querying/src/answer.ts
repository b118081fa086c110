import type { AgentMessage, Conversation, TurnOutcome } from '@hexagent/ports';

/** One prompt on its way to its finished answer. Reading it is optional. */
export interface Answer extends AsyncIterable<AgentMessage> {
  /**
   * How the prompt's turn ended, once everything it began has ended too: a background task reports with a turn of its
   * own, and ending the agent before would lose it. Rejects as a turn's result does; never an unhandled rejection.
   */
  readonly outcome: Promise<TurnOutcome>;
  /** Ends the agent now. Resolves when it has gone; never rejects. Leaving the loop does the same behind your back. */
  close(): Promise<void>;
}

/** A conversation in which the one prompt was said. */
export interface Begun {
  readonly conversation: Conversation;
  readonly outcome: Promise<TurnOutcome>;
}

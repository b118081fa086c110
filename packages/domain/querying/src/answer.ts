import type { AgentMessage, Conversation, TurnOutcome } from '@hexagent/ports';

/** The answer to one prompt, while it arrives. Reading it is optional. */
export interface Answer extends AsyncIterable<AgentMessage> {
  /**
   * How the prompt's turn ended. Resolves once everything that the turn started has ended too: a background task reports
   * in a turn of its own, which is lost when the agent ends before it. Rejects as a turn's result does; never an unhandled
   * rejection.
   */
  readonly result: Promise<TurnOutcome>;
  /** Ends the agent now. Resolves when it has exited; never rejects. Leaving the loop does the same without waiting. */
  close(): Promise<void>;
}

/** A conversation in which the prompt was sent. */
export interface StartedAnswer {
  readonly conversation: Conversation;
  readonly messages: AsyncIterableIterator<AgentMessage>;
  readonly result: Promise<TurnOutcome>;
}

import type { Ask, AskEnd } from './approvals.ts';
import type { CacheMissCause } from './prompt-cache.ts';
import type { Exit } from './exit.ts';
import type { TurnOutcome } from './turn-outcome.ts';
import type { AgentMessage } from './vocabulary/messages.ts';

/**
 * What happens in a conversation. A turn is named by the uuid of its message, an unsolicited turn by one that the SDK makes. Of each
 * turn come, in this order: `turn_sent`, `turn_started`, its messages with `result` as the last, and one `turn_ended` or `turn_cut`.
 */
export type ConversationFact =
  /** A message was sent. Not for an unsolicited turn. */
  | { readonly kind: 'turn_sent'; readonly turn: string }
  /**
   * The agent has begun with it. Not for a turn that never runs. `within` is the turn that gets the messages, where this one was folded
   * into it or merged with it.
   */
  | {
      readonly kind: 'turn_started';
      readonly turn: string;
      readonly isUnsolicited: boolean;
      readonly within: string | undefined;
    }
  /** `turn` is `undefined` for what belongs to no turn. Outside `turn_started` and `result`, a turn has `command_lifecycle` alone. */
  | { readonly kind: 'message'; readonly turn: string | undefined; readonly message: AgentMessage }
  /** Between these two a person is asked. A request that is answered at once has neither. `turn` is the one that runs. */
  | (AskFact & { readonly turn: string | undefined })
  /** Little of the conversation was found in the service's cache. `turn` is the one that runs. */
  | (CacheFact & { readonly turn: string | undefined })
  /** A result that answers several turns gives one of these for each, adjacent, with the very same outcome. */
  | { readonly kind: 'turn_ended'; readonly turn: string; readonly outcome: TurnOutcome }
  /** The turn has no outcome: the conversation broke or was closed, or its message could not be written. */
  | { readonly kind: 'turn_cut'; readonly turn: string; readonly error: unknown }
  /** No turn, task or queued message is alive any more. Outdated once a `turn_sent` or a `turn_started` follows. */
  | { readonly kind: 'idle' }
  /** The agent is being ended, and no message follows. `error` is what broke or aborted the conversation, if anything did. */
  | { readonly kind: 'closing'; readonly error: Error | undefined }
  /** The last event, once. `error` is what turns and readers were rejected with, or would have been. */
  | { readonly kind: 'exited'; readonly exit: Exit; readonly error: Error | undefined };

/**
 * What a feature adds. It overtakes messages that another feature holds back, as one does that stores the transcript: the agent waits for
 * the answer, but not for what is stored. So `ask_opened` may come before the message that has its call.
 */
export type AskFact =
  | { readonly kind: 'ask_opened'; readonly ask: Ask }
  | { readonly kind: 'ask_settled'; readonly id: string; readonly how: AskEnd };

/** So many tokens, which the request before had left in the service's cache, are paid again. */
export interface CacheFact {
  readonly kind: 'cache_missed';
  readonly cause: CacheMissCause;
  readonly tokens: number;
}

/** A fact and its place. `seq` counts from 1; a reader finds gaps only where its unread messages were dropped by an end. */
export type ConversationEvent = ConversationFact & { readonly seq: number };

export interface EventsOptions {
  /**
   * Reads beside the program: what is unread never pauses the agent, and a reader that is more than `softMarkBytes` behind gets
   * `MESSAGES_DISCARDED`. It begins with the next event. Default `false`.
   */
  readonly mayMiss?: boolean | undefined;
}

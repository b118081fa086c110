import type { ContentBlock } from './vocabulary/content.ts';
import type { CliPermissionMode } from './vocabulary/values.ts';

/*
 * What a handler of web requests needs of conversations. It passes bytes on and does not depend on how a message is displayed.
 */

/** Who makes a request, as the handler established it. */
export interface ChatCaller {
  /** Recorded with each answer to an approval. */
  readonly name: string;
  /** The owner of the conversations. Two tenants may use the same id for a chat, and never see each other's. */
  readonly tenant?: string | undefined;
}

/** A message that a person wrote. */
export interface ChatInput {
  /** The page's own id of the message. The same id again in the same chat is the same message, and is not run twice. */
  readonly id: string;
  readonly content: string | readonly ContentBlock[];
}

/** What a request asks for besides its message. The handler has checked it against what callers may ask for. */
export interface ChatSendOptions {
  /** Whether the message may join a turn that runs. Without it a running turn makes the chat `busy`. */
  readonly steer: boolean;
  /** Whether the message continues a chat: without that chat it is `unknown`, and begins none. Default `false`. */
  readonly continues?: boolean | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: CliPermissionMode | undefined;
}

/** A turn as bytes for a browser: what came so far, then what comes. Cancelling it stops this reader, not the turn. */
export interface ChatStream {
  /** Which format the bytes have, as headers of a response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * How a message ended.
 * - `accepted`: it will be run, also if this process ends now and another one takes over.
 * - `duplicate`: it had been accepted before. The stream is that of its turn, while it runs.
 * - `elsewhere`: it is accepted, and another process runs it. Its stream cannot be read here.
 * - `busy`: another turn runs, and the message was not to join it. It was not accepted.
 * - `full`: no more sessions fit. It was not accepted.
 * - `unknown`: it continues a chat that does not exist, such as one that was deleted. It was not accepted.
 */
export type ChatStart =
  | { readonly kind: 'accepted'; readonly stream: ChatStream }
  | { readonly kind: 'duplicate'; readonly stream: ChatStream | undefined }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'full'; readonly retryAfterMs?: number | undefined };

/** A chat in a list. */
export interface ChatSummary {
  readonly id: string;
  readonly title: string | undefined;
  /** When it last changed: milliseconds since 1970. */
  readonly updatedAt: number;
  readonly state: ChatState;
}

/**
 * What a chat does now.
 * - `idle`: it waits for a message.
 * - `failed`: the same, after a turn that failed. Known since this process started.
 * - `running`: a turn runs, or is about to.
 * - `awaiting-approval`: a person has to answer something before the turn continues.
 * - `held`: a message was cut off with its agent, and waits for `restart()`, `discard()` or another message.
 * - `crashed`: its agent ended too often. It takes no message until `restart()` or `discard()`.
 */
export type ChatState = 'idle' | 'failed' | 'running' | 'awaiting-approval' | 'held' | 'crashed';

/**
 * Conversations by the id that an application gave them. A method rejects only when something is broken, or with an
 * `SdkError`: `HOST_CLOSED` when all of them are shut down, `SESSION_HELD` where another process drives the chat and has to do it,
 * `SESSION_CRASHING` for a message to a chat that is `crashed`.
 */
export interface ChatSessions {
  /** Settles once the message is accepted or is not. A chat that does not exist yet begins with it. */
  start(chatId: string, message: ChatInput, sendOptions: ChatSendOptions, caller: ChatCaller): Promise<ChatStart>;
  /**
   * The turn that runs, from its beginning; with `after`, the `cursor` of a page of the history, else the last turn, if it has ended
   * since. `undefined` when there is neither. Any number of readers may have it.
   */
  stream(
    chatId: string,
    caller: ChatCaller,
    options?: { readonly after?: string | undefined },
  ): Promise<ChatStream | undefined>;
  /** Stops the turn that runs. Settles with whether there was one. */
  interrupt(chatId: string, caller: ChatCaller): Promise<boolean>;
  /**
   * Continues with a chat that is `held` or `crashed`, whose turn then has a stream. Settles with whether it was either.
   * Another chat is left as it is.
   */
  restart(chatId: string, caller: ChatCaller): Promise<boolean>;
  /** Discards the waiting messages of a chat that is `held` or `crashed`: they are not run. Settles with whether it was either. */
  discard(chatId: string, caller: ChatCaller): Promise<boolean>;
  /** The most recently changed one first. */
  list(page: { readonly limit: number; readonly offset: number }, caller: ChatCaller): Promise<readonly ChatSummary[]>;
  /** Changes the title. Settles with whether there was a chat with something stored: before its first message is, it has no title. */
  rename(chatId: string, title: string, caller: ChatCaller): Promise<boolean>;
  /** Ends the conversation and removes what is stored of it, apart from what people were asked. Settles with whether there was one. */
  delete(chatId: string, caller: ChatCaller): Promise<boolean>;
}

/** The earlier messages of a chat. */
export interface ChatHistory {
  /**
   * The last `limit` messages, oldest first, in the form that the page draws; `before` is the id of a message, and asks
   * for those that came before it; an empty list where there is no such message. `undefined` when there is no such chat.
   */
  messages(
    chatId: string,
    page: { readonly limit: number; readonly before?: string | undefined },
    caller: ChatCaller,
  ): Promise<ChatHistoryPage | undefined>;
}

export interface ChatHistoryPage {
  readonly messages: readonly unknown[];
  /** Whether there are earlier ones. */
  readonly hasEarlier: boolean;
  /** Whether a turn runs, whose stream has what is missing here. The page asks for it next, with the `cursor`. */
  readonly isRunning: boolean;
  /** With it as `after`, the stream is also that of a turn which has ended since these messages were read. */
  readonly cursor: string;
  /** The same as in the list of chats. */
  readonly state: ChatState;
}

/** What a person answered to an approval. Which fields count depends on what was asked. */
export interface ChatAnswer {
  readonly approved: boolean;
  /** Why not. The model reads it. */
  readonly reason?: string | undefined;
  /** With a refusal: whether the turn ends too. */
  readonly interrupt?: boolean | undefined;
  /** Which of the suggested changes to take over, by their positions. None unless named. */
  readonly suggestions?: readonly number[] | undefined;
  /** Answers to questions, by the whole text of each. Several labels for one that allows several. */
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The plan as the person changed it. */
  readonly plan?: string | undefined;
  /** The mode in which the agent continues after a plan. The handler has checked that callers may choose it. */
  readonly permissionMode?: CliPermissionMode | undefined;
}

/**
 * The result of an answer.
 * - `settled`: it counts.
 * - `already`: another one came first, or the request was withdrawn, or it expired. It does nothing.
 * - `unknown`: there is no such approval in this chat.
 * - `refused`: it does not fit what was asked, for the `reason`. The approval still waits.
 */
export type ChatSettlement =
  | { readonly kind: 'settled' }
  | { readonly kind: 'already'; readonly state: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ChatApprovals {
  /** Settles once the answer is stored. One answer wins, however many come at once. */
  settle(chatId: string, approvalId: string, answer: ChatAnswer, caller: ChatCaller): Promise<ChatSettlement>;
}

/** All that a page reaches of the chats of one process, which another process reaches too. */
export interface ChatDoor {
  readonly sessions: ChatSessions;
  readonly approvals: ChatApprovals;
  readonly history: ChatHistory;
  /** The states of those of the chats that this process drives. */
  states(chatIds: readonly string[], caller: ChatCaller): Promise<Readonly<Record<string, ChatState>>>;
}

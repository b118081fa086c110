import type { ConversationEvent, EventsOptions } from './conversation-events.ts';
import type { ControlAnswer, ControlArguments, ControlSubtype, RequestOptions } from './control-requests.ts';
import type { SessionFeature } from './features.ts';
import type { Launch } from './launch.ts';
import type { AgentMessage } from './vocabulary/messages.ts';
import type { UserInput } from './vocabulary/user-input.ts';
import type { InitializeResult } from './introduction.ts';
import type { Budget } from './budget.ts';
import type { Exit } from './exit.ts';
import type { Ledger } from './spending.ts';
import type { TurnOutcome } from './turn-outcome.ts';

/** Opens conversations with agents. */
export interface Conversations {
  /**
   * Resolves when the agent runs.
   * @throws {SdkError} when it cannot be started; {@link AbortError} when `signal` aborts first.
   * @throws {TypeError} for a number of the options that makes no sense; nothing is started then.
   */
  open(options: ConversationOptions): Promise<Conversation>;
}

export interface ConversationOptions {
  readonly launch: Launch;
  /** Aborting closes the conversation: readers and turns are rejected with an {@link AbortError}. */
  readonly signal?: AbortSignal | undefined;
  /** What the conversation can do beside messages. They serve this conversation alone. */
  readonly features?: readonly SessionFeature[] | undefined;
  /** What `finish()` does about background shells that still run: stop each, or wait for them. Default `stop`. */
  readonly backgroundTasks?: 'stop' | 'wait' | undefined;
  /**
   * What `finish()` does about requests that wait for their answer, in either direction: wait for them, or leave them
   * to the agent's exit. Default `wait`.
   */
  readonly openRequests?: 'wait' | 'leave' | undefined;
  /**
   * What to do when the model's service refuses the credentials twice in a row: leave it to the agent, which continues
   * trying for minutes (`retry`, the default), or stop it and fail the turn.
   */
  readonly refusedCredentials?: 'retry' | 'fail' | undefined;
  /** The limits that the agent holds, by which its end of a turn is explained. The launch passes them on. */
  readonly budget?: Pick<Budget, 'usd' | 'turns'> | undefined;
  /**
   * Unread bytes above which reading pauses while no callback and no open request needs it; 2 MB by default. A message
   * counts as its line and 128 bytes.
   */
  readonly softMarkBytes?: number | undefined;
  /** Unread bytes above which reading pauses also for callbacks and open requests; 64 MB by default. */
  readonly hardMarkBytes?: number | undefined;
  /** How long the agent may take to answer `initialize`, in milliseconds; 60 000 by default, 0 and `Infinity` for no limit. */
  readonly initializeTimeoutMs?: number | undefined;
  /**
   * Withholds what the agent sends only because it sends its text in pieces, from all but the turns on which `includePieces()` was
   * called. While no reader wants them, the agent is asked for fewer. Default: every reader gets what the agent sends.
   */
  readonly withholdsPieces?: boolean | undefined;
}

/** One agent, from its start to its exit. */
export interface Conversation {
  /** Names the conversation in observed events. Unique, made by the SDK, and the same from its start to its end. */
  readonly id: string;
  /**
   * The agent's id of the session, by which it can be resumed: that of the launch if it gave one, else `undefined` until
   * the first turn begins. It is the agent's latest, which `/clear` changes.
   */
  readonly sessionId: string | undefined;
  /**
   * The agent's answer to `initialize`. The first message is not held back by it. Never an unhandled rejection. When it
   * is refused or late, the conversation ends with the same error if a feature registers something with it, which the agent
   * then lacks; also when it is late and the agent has written nothing at all.
   */
  readonly ready: Promise<InitializeResult>;
  /**
   * Sends a message. Returns at once; messages keep their order.
   * @throws {SdkError} `CONVERSATION_CLOSED` after `finish()`, `close()` or the agent's exit; `MESSAGE_REPEATED` for a uuid already used.
   */
  send(input: string | UserInput): Turn;
  /** Unsolicited turns, such as the report of a background task. A few are kept until reading begins. */
  readonly turns: AsyncIterable<Turn>;
  /** Messages that belong to no turn. */
  readonly messages: AsyncIterableIterator<AgentMessage>;
  /**
   * Everything that happens, in one order. What is unread pauses the agent, until `idle()` or `finish()` is called before the first
   * `next()`. The first reader begins with the first event if it comes before any turn, `turns` or `messages` is read, and
   * before more than `softMarkBytes` have arrived. While one reads, turns, `turns` and `messages` keep nothing for late readers. Ends
   * behind `exited`, without an error.
   * @throws {SdkError} `MESSAGES_DISCARDED` from `next()` when it has missed something; it is the only error.
   */
  events(options?: EventsOptions): AsyncIterableIterator<ConversationEvent>;
  /**
   * Every message in the order of the wire, for one reader: `events()` without an object for each. Begins, pauses the agent and keeps
   * nothing for others as that does; unlike it, it ends as the conversation does, with the error of that. `onArrival` is called with each
   * message when it arrives, before anyone reads it, and must not throw.
   */
  allMessages(onArrival?: (message: AgentMessage) => void): AsyncIterableIterator<AgentMessage>;
  /** What was spent since the conversation was opened, up to its last result. */
  readonly ledger: Ledger;
  /** Stops the turn that runs. Resolves with the outcome, read from the end of the turn and not from the receipt. */
  interrupt(): Promise<InterruptOutcome>;
  /** Which messages were answered, and how many turns are open. */
  readonly progress?: ConversationProgress | undefined;
  /** Whether no turn, task or queued message is alive at the moment. */
  readonly isIdle?: boolean | undefined;
  /**
   * Resolves when no turn, task or queued message is alive, and when the agent has exited after `finish()`.
   * @throws {SdkError} {@link AgentExitedError} when the agent exits before, `CONVERSATION_CLOSED` when it is closed.
   */
  idle(): Promise<void>;
  /**
   * Asks the agent one of `ControlRequests`.
   * @throws {SdkError} `REQUEST_FAILED`, `REQUEST_TIMEOUT`; `REQUEST_STALLED` when the answer lies behind more than
   * `hardMarkBytes` and nothing is read; `CONVERSATION_CLOSED` after the end, `CHANNEL_CLOSED` once the input was closed.
   */
  control<Subtype extends ControlSubtype>(
    subtype: Subtype,
    ...rest: ControlArguments<Subtype>
  ): Promise<ControlAnswer<Subtype>>;
  /** The same for a subtype that `ControlRequests` does not name: nothing about it is checked. */
  controlUntyped(
    subtype: string,
    fields?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends nothing more: lets everything finish, then ends the agent. Resolves when it has exited.
   * @throws {SdkError} `AGENT_NOT_ENDED` when something of it could not be ended. Never an unhandled rejection.
   */
  finish(): Promise<Exit>;
  /** Ends the agent now: stops the running turn, then the process and all it started. Never rejects. */
  close(): Promise<void>;
  /**
   * Kills the process, ends all it started, and leaves the turn that runs unfinished, as a crash would: nothing is interrupted
   * or answered, so an agent that resumes the session continues it. Never rejects.
   */
  suspend(): Promise<void>;
  /** The exit of the agent; settles once. */
  readonly exited: Promise<Exit>;
}

/** What a conversation has done, and what is open. */
export interface ConversationProgress {
  /** The uuids of the messages that were answered, in their order: one list for each result, with several that one result answered. */
  readonly answered: readonly (readonly string[])[];
  /** How many turns run or are queued. */
  readonly open: number;
}

/**
 * One exchange. Reading it is optional: `result` comes either way. It can be read once: a second loop throws `TURN_READ`,
 * also after the first was left. The agent may answer several messages with one
 * result: then their turns have the very same outcome, and the messages belong to the first of them.
 */
export interface Turn extends AsyncIterable<AgentMessage> {
  /** The uuid of the message that began it; made by the SDK for an unsolicited turn. */
  readonly id: string;
  /**
   * How it ended. Rejects with {@link AgentExitedError} when the agent exited, with `AbortError` when the conversation was
   * aborted, with `CONVERSATION_CLOSED` when it was closed, with `SESSION_SUSPENDED` when it was suspended; never an unhandled
   * rejection.
   */
  readonly result: Promise<TurnOutcome>;
  /**
   * Resolves when the agent has shown that it has the message: it confirmed it, or began or ended the turn. Fails as
   * `result` does, and as `interrupt()` may; never an unhandled rejection.
   */
  readonly received: Promise<void>;
  /** From now on its messages have the pieces of the text too, where the conversation withholds them. */
  includePieces?(): void;
  /**
   * Stops this turn and what was folded into it, or removes it from the queue. Fails as `result` does, and with
   * `REQUEST_STALLED` when the end of the turn lies behind more than `hardMarkBytes` and nothing is read.
   */
  interrupt(): Promise<InterruptOutcome>;
}

/**
 * What an interrupt achieved, proven by the wire.
 * - `interrupted`: the turn was stopped.
 * - `cancelled`: it was still queued and will not run.
 * - `too_late`: it had ended, or ended by itself before the interrupt reached it.
 * - `nothing_running`: there was no turn to stop.
 */
export type InterruptOutcome = 'interrupted' | 'cancelled' | 'too_late' | 'nothing_running';

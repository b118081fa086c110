import type { RequestHandlers, UntypedHandlers } from './agent-requests.ts';
import type { ControlAnswer, ControlArguments, ControlSubtype, RequestOptions } from './control-requests.ts';
import type { SdkError } from './errors.ts';
import type { TranscriptMirrorFrame } from './frames.ts';
import type { InitializeResult } from './introduction.ts';
import type { InitializeFields } from './launch.ts';
import type { Exit } from './exit.ts';
import type { Connection } from './transport.ts';
import type { AgentMessage } from './vocabulary/messages.ts';
import type { UserInput } from './vocabulary/user-input.ts';

/** Runs the agent's protocol over a connection: ids, correlation, cancellation, order, one writer. */
export interface AgentProtocol {
  /**
   * Starts reading and sends `initialize` at once.
   * @throws {TypeError} for an `initializeTimeoutMs` that is not a delay.
   */
  open(connection: Connection, options: ProtocolOptions): Channel;
}

export interface ProtocolOptions {
  /** The `id` of the conversation, which each observed event names. */
  readonly conversation: string;
  readonly initialize: InitializeFields;
  /** Hold everything else back until `initialize` was answered. Default: do not. */
  readonly awaitInitialize?: boolean | undefined;
  /** Called with the answer before anything that was held back is written. What it throws is how `initialize` failed. */
  readonly checkInitialize?: ((answer: InitializeResult) => void) | undefined;
  /** How long `initialize` may take; default 60 s. `0` and `Infinity` wait for ever. */
  readonly initializeTimeoutMs?: number | undefined;
  readonly host: Host;
}

/** The program's side of an open conversation with one agent. */
export interface Channel {
  /** The agent's answer to `initialize`. Handled: its rejection never counts as unhandled. */
  readonly initialized: Promise<InitializeResult>;
  /**
   * Writes a user message. Resolves once it is written.
   * @throws {SdkError} `CHANNEL_CLOSED` when the agent has exited; `FRAME_INVALID` for content the wire cannot carry.
   */
  send(input: UserInput & { readonly uuid: string }): Promise<void>;
  /**
   * Asks the agent. Without `timeoutMs` it waits as long as the agent lives.
   * @throws {SdkError} `REQUEST_FAILED` with the agent's text, `REQUEST_TIMEOUT`, `CHANNEL_CLOSED`; {@link AgentExitedError} when the agent dies first.
   * @throws {AbortError} when `signal` aborts; the agent is notified.
   * @throws {TypeError} for a `timeoutMs` that is not a delay; nothing is written then.
   */
  request<Subtype extends ControlSubtype>(
    subtype: Subtype,
    ...rest: ControlArguments<Subtype>
  ): Promise<ControlAnswer<Subtype>>;
  /** The same for a subtype that `ControlRequests` does not name: nothing about it is checked. */
  requestUntyped(
    subtype: string,
    fields?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** How many requests of ours wait for their answer. */
  readonly openRequests: number;
  /** How many requests of the agent's are being answered by the host. */
  readonly openAnswers: number;
  /**
   * Rejects each open request of ours with the error, and cancels it at the agent. Not `initialize`, which has
   * a deadline of its own.
   */
  giveUpRequests(error: SdkError): void;
  /** Makes a message again of a line that `Host.message` was given. */
  reread(line: string): AgentMessage;
  pause(): void;
  resume(): void;
  /** Nothing more will be sent. What was written before still arrives. Safe to call twice. */
  end(): Promise<void>;
  /**
   * Ends the agent, in stages; what it still sends is discarded. Never rejects. `suspended`: the session continues elsewhere, so
   * the agent is killed at once, and what it asked ends with this error.
   */
  close(options?: { readonly suspended?: Error | undefined }): Promise<void>;
}

/** What the protocol calls: the handlers of what the program can answer, and the observers of the conversation. */
export interface Host extends RequestHandlers {
  /**
   * Called for each message in order, synchronously. `bytes` is the length of its line; the line itself takes less memory
   * than the message, which `Channel.reread` makes of it again.
   */
  message(message: AgentMessage, bytes: number, line: string): void;
  /** Called for each part of a transcript that the agent hands over to be stored, in order with the messages; `bytes` as there. */
  mirror?(frame: TranscriptMirrorFrame, bytes: number): void;
  /** Answers to subtypes that the host has no handler of its own for. */
  readonly untypedHandlers?: UntypedHandlers | undefined;
  /** Something about open requests changed; pausing and closing are decided again. */
  activity?(): void;
  /**
   * The connection cannot be read or written any more. What is open was rejected with this error; the agent is being ended, and
   * `exited` follows.
   */
  broken?(error: SdkError): void;
  /** The last call: the agent has exited and everything it sent was delivered. */
  exited(exit: Exit): void;
}

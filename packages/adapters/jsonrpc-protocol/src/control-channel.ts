import { AgentExitedError, SdkError, formatExit } from '@hexagent/ports';
import type {
  AgentMessage,
  Channel,
  Clock,
  Connection,
  ControlAnswer,
  ControlArguments,
  ControlSubtype,
  Exit,
  FrameParser,
  Host,
  Ids,
  InitializeResult,
  ProtocolOptions,
  RequestOptions,
  UserInput,
} from '@hexagent/ports';
import { handled, settledWithin } from '@hexagent/async';
import { Incoming } from './incoming.ts';
import { Outgoing } from './outgoing.ts';
import { Reader } from './reader.ts';
import type { SafeObserver } from './safe-observer.ts';
import { SafeConnection } from './safe-connection.ts';
import { toUserFrame } from './user-frame.ts';
import { Writer } from './writer.ts';

export interface ChannelPorts {
  readonly connection: Connection;
  readonly options: ProtocolOptions;
  readonly parser: FrameParser;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly observer: SafeObserver;
}

const initializeMs = 60_000;
/** How long the exit may take after the input broke: what the agent left behind is ended before it is reported. */
const exitGraceMs = 3000;

/** Joins the two directions of a conversation, and settles everything when the agent exits. */
export class ControlChannel implements Channel {
  readonly initialized: Promise<InitializeResult>;
  readonly #connection: SafeConnection;
  readonly #clock: Clock;
  readonly #host: Host;
  readonly #observer: SafeObserver;
  readonly #writer: Writer;
  readonly #outgoing: Outgoing;
  readonly #incoming: Incoming;
  readonly #reader: Reader;
  readonly #gone: Promise<void>;
  #isOpen = false;
  #isClosed = false;
  #isPaused = false;
  #isReadToTheEnd = false;
  #hasLostLine = false;

  constructor({ connection, options, parser, ids, clock, observer }: ChannelPorts) {
    const { host } = options;
    this.#connection = new SafeConnection(connection, clock);
    this.#clock = clock;
    this.#host = host;
    this.#observer = observer;
    // Not while opening: the host does not have the channel yet.
    const changed = (): void => {
      if (this.#isOpen) this.#callHost('activity', () => host.activity?.());
    };
    this.#writer = new Writer({
      connection: this.#connection,
      parser,
      observer,
      hold: options.awaitInitialize ?? false,
      unwritten: (cause) => void this.#unwritten(cause),
    });
    this.#outgoing = new Outgoing({ writer: this.#writer, ids, clock, changed });
    this.#incoming = new Incoming({ host, writer: this.#writer, observer, changed });
    this.#reader = new Reader({ parser, observer, host, outgoing: this.#outgoing, incoming: this.#incoming });
    this.initialized = this.#initialize(options);
    this.initialized.catch(() => {}); // code that needs the answer awaits it
    // Not before the host has the channel: a connection may break at the first read.
    this.#gone = handled(Promise.resolve().then(() => this.#readToTheEnd()));
    this.#isOpen = true;
  }

  get openRequests(): number {
    return this.#outgoing.size;
  }

  get openAnswers(): number {
    return this.#incoming.size;
  }

  async send(input: UserInput & { readonly uuid: string }): Promise<void> {
    const written = this.#writer.write(toUserFrame(input));
    written.catch(this.#unwritten);
    await written;
  }

  async request<Subtype extends ControlSubtype>(
    subtype: Subtype,
    ...[fields, options]: ControlArguments<Subtype>
  ): Promise<ControlAnswer<Subtype>> {
    // The agent's own answer, in the form that the recorded wire has.
    return await this.#ask(subtype, fields ?? {}, options);
  }

  async requestUntyped(
    subtype: string,
    fields: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    return await this.#ask(subtype, fields, options);
  }

  async #ask(...[subtype, fields, options]: Parameters<Outgoing['ask']>): ReturnType<Outgoing['ask']> {
    const endCalls = this.#incoming.callsDroppedBy(subtype, fields);
    return await this.#outgoing.ask(subtype, fields, options).then((answer) => (endCalls?.(), answer));
  }

  giveUpRequests(error: SdkError): void {
    this.#outgoing.giveUp(error);
  }

  reread(line: string): AgentMessage {
    return this.#reader.reread(line);
  }

  pause(): void {
    if (this.#isPaused || this.#isClosed) return;
    this.#isPaused = true;
    this.#connection.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection.resume();
  }

  async end(): Promise<void> {
    await this.#writer.drain();
    await this.#connection.end();
  }

  async close({ suspended }: NonNullable<Parameters<Channel['close']>[0]> = {}): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#reader.discard();
      if (suspended !== undefined) this.#incoming.end(suspended);
      this.#settle(closedError('The channel to the agent was closed.'));
      this.resume(); // what is discarded must flow, or the agent cannot end
    }
    await this.#connection.close({ atOnce: suspended !== undefined });
    await this.#gone;
  }

  async #initialize({
    initialize,
    initializeTimeoutMs = initializeMs,
    awaitInitialize,
    checkInitialize,
  }: ProtocolOptions): Promise<InitializeResult> {
    try {
      const answer = await this.#outgoing.ask('initialize', initialize, {
        bypassHold: true,
        timeoutMs: initializeTimeoutMs,
      });
      const { claude_code_version: version } = answer as InitializeResult;
      if (typeof version === 'string') this.#outgoing.agentVersion = version;
      checkInitialize?.(answer);
      this.#writer.release();
      return answer;
    } catch (error) {
      const failure = initializeFailure(error, initializeTimeoutMs);
      // A frame that could not be written set nothing up, neither hooks nor prompt: what follows would run without them.
      if (awaitInitialize || failure.code === 'FRAME_INVALID') this.#writer.refuse(failure);
      throw failure;
    }
  }

  async #readToTheEnd(): Promise<void> {
    const broken = await this.#connection.read(this.#reader.read).then(() => undefined, toSdkError);
    this.#isReadToTheEnd = true;
    if (broken !== undefined) {
      this.#break(broken);
      await this.#connection.close(); // a connection that cannot be read any more is of no use, and must still exit
    }
    void this.#connection.expectExit();
    const exit = this.#deliverRest(await this.#connection.exit);
    this.#settle(
      this.#isClosed || exit.closed
        ? closedError('The channel to the agent was closed.', broken)
        : this.#exitedError(exit, broken),
    );
    this.#callHost('exited', () => this.#host.exited(exit));
  }

  /** A line did not reach the agent. An agent without its input would wait for ever, and so would the callers here. */
  readonly #unwritten = async (cause: unknown): Promise<void> => {
    if (this.#hasLostLine || !SdkError.is(cause) || cause.code !== 'CHANNEL_CLOSED') return;
    this.#hasLostLine = true;
    const hasExited = await settledWithin(exitGraceMs, this.#connection.exit, this.#clock);
    if (hasExited || this.#isReadToTheEnd || this.#isClosed) return; // its exit is due
    this.#break(new SdkError('CHANNEL_CLOSED', 'The agent has closed its input, so it is ended.', { cause }));
    await this.#connection.close();
  };

  /** Rejects open requests at once: ending the agent takes longer. */
  #break(error: SdkError): void {
    if (this.#isClosed) return;
    this.#settle(error);
    this.#callHost('broken', () => this.#host.broken?.(error));
  }

  /** A last line without its ending is delivered if it is whole, and stays with the exit if it is not. */
  #deliverRest(exit: Exit): Exit {
    if (exit.unterminated === undefined || !this.#reader.readLast(exit.unterminated)) return exit;
    const { unterminated: _, ...rest } = exit;
    return rest;
  }

  #exitedError(exit: Exit, cause: unknown): AgentExitedError {
    const lost = this.#outgoing.subtypes();
    const phase = lost.includes('initialize') ? ' before it answered `initialize`' : '';
    return new AgentExitedError(
      `The agent ${formatExit(exit)}${phase}.`,
      { exit, lost },
      cause === undefined ? {} : { cause },
    );
  }

  /** Open requests end with the error itself, later ones with a closed channel. */
  #settle(error: SdkError): void {
    this.#writer.refuse(toRefusal(error));
    this.#outgoing.end(error);
    this.#incoming.end(error);
  }

  #callHost(what: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#observer.hostFailed(what, error);
    }
  }
}

function closedError(message: string, cause?: unknown): SdkError {
  return new SdkError('CHANNEL_CLOSED', message, cause === undefined ? {} : { cause });
}

function toRefusal(error: SdkError): SdkError {
  if (error.code === 'CHANNEL_CLOSED') return error;
  return closedError(error.code === 'AGENT_EXITED' ? 'The agent has exited.' : error.message, error);
}

function toSdkError(error: unknown): SdkError {
  return SdkError.is(error) ? error : closedError('The connection to the agent cannot be read any more.', error);
}

function initializeFailure(error: unknown, timeoutMs: number): SdkError {
  if (!SdkError.is(error)) return new SdkError('INITIALIZE_FAILED', 'The agent could not be set up.', { cause: error });
  if (error.code === 'REQUEST_FAILED' || error.code === 'REQUEST_UNSUPPORTED')
    return new SdkError('INITIALIZE_FAILED', error.message, { cause: error.cause });
  if (error.code !== 'REQUEST_TIMEOUT') return error;
  return new SdkError('INITIALIZE_TIMEOUT', `The agent did not answer \`initialize\` within ${timeoutMs} ms.`, {
    cause: error,
  });
}

import {
  AbortError,
  SdkError,
  type AgentMessage,
  type ControlAnswer,
  type ControlFields,
  type ControlSubtype,
  type Conversation,
  type Exit,
  type InitializeFields,
  type InitializeResult,
} from '@hexagent/ports';
import { Deferred, handled, onAbort } from '@hexagent/async';
import { QueryProgress } from './query-progress.ts';
import { endingOf, type Ending } from './ending.ts';
import { abortedError, closedError, isRefusal, exitError, officialError, unsentError } from './errors.ts';
import { Input, type Prompt } from './input.ts';
import { PendingCalls } from './pending-calls.ts';
import type { QueryServers } from './query-parts.ts';
import type { RunningQueryOptions } from './running-query-options.ts';
import type { SlashCommand } from './types/common.ts';
import type { SDKMessage } from './types/messages.ts';

type Step = IteratorResult<SDKMessage, void>;

/**
 * One query from its start to its end. Hand-written, because a generator's `return()` waits for a pending `next()`, and
 * leaving a loop must not wait for the agent.
 */
export class RunningQuery {
  readonly setup: () => InitializeFields;
  readonly servers: QueryServers;
  readonly #onEnd: ((ending: Ending) => void) | undefined;
  /** The agent runs, and the prompt has not begun. */
  readonly #connected: Promise<Conversation>;
  readonly #opened: Promise<Conversation>;
  readonly #opening = new AbortController();
  /** Resolves when messages can be read, or never will be. */
  readonly #readable = new Deferred<void>();
  readonly #forgetSignal: () => void = () => {};
  readonly #inputOptions: RunningQueryOptions['input'];
  #isStream = false;
  #prompt: Prompt | undefined;
  #conversation: Conversation | undefined;
  /** Replaces the agent's introduction. */
  #introduction: Promise<InitializeResult> | undefined;
  readonly #progress = new QueryProgress();
  readonly #calls = new PendingCalls();
  #source: AsyncIterator<AgentMessage> | undefined;
  #input: Input | undefined;
  #ending: Ending | undefined;
  #isErrorReported = false;
  /** How many calls of `next()` wait, and what the first of them returned. */
  #waiting = 0;
  #step: Promise<Step> | undefined;
  #endingByExit: Promise<Ending> | undefined;

  /** @throws {AbortError} when the signal has aborted before. */
  constructor({ prompt, signal, input, setup, servers, onEnd, open }: RunningQueryOptions) {
    if (signal?.aborted) throw abortedError(signal);
    this.setup = setup;
    this.servers = servers;
    this.#inputOptions = input;
    this.#onEnd = onEnd;
    this.#isStream = prompt !== undefined && typeof prompt !== 'string';
    this.#prompt = prompt;
    this.#connected = open({ signal: this.#opening.signal }).catch((error: unknown) => {
      // A start that was aborted has no other reason to fail.
      throw this.#ending ? this.#lost() : officialError(error);
    });
    // A step later, so that what waits for the connection is written before the prompt.
    this.#opened = this.#connected
      .then((conversation) => conversation)
      .then((conversation) => this.#begin(conversation));
    this.#opened.catch((error: unknown) => this.stop({ error }));
    if (signal) this.#forgetSignal = onAbort(signal, () => this.#abort(signal));
  }

  /**
   * The prompt of a query that was opened without one. What was asked before is written before it.
   * @throws what the query has ended with, if it has.
   */
  begin(prompt: Prompt): void {
    if (this.#ending)
      throw this.#ending.error instanceof AbortError ? this.#ending.error : unsentError(this.#ending.error);
    this.#isStream = typeof prompt !== 'string';
    this.#prompt = prompt;
    this.#input?.begin(prompt);
  }

  /** What it rejects with never counts as unhandled: a loop may be left while it waits. */
  next(): Promise<Step> {
    if (this.#ending) return handled(this.#finish());
    if (this.#source === undefined) return handled(this.#readable.promise.then(() => this.next()));
    const step = this.#source.next().then(this.#arrived, this.#broken);
    // Not each step: one fails at the end only, and `stream` in `bench` has a bound.
    if (this.#waiting > 0) void handled(step);
    else this.#step = step;
    this.#waiting += 1;
    return step;
  }

  /** The loop was left, or will be: it ends at once, and the agent behind it. Only the first ending counts. */
  stop(ending: Ending = {}): void {
    if (this.#ending) return;
    this.#end(ending);
    // An agent that is being started is not needed any more.
    if (this.#source === undefined) this.#opening.abort();
    // Settles the next() that waits; what was not read is dropped.
    this.#source?.return?.().catch(() => {});
    void this.closed();
  }

  /** Resolves when the agent has exited. */
  async closed(): Promise<void> {
    const conversation = await this.#opened.catch(() => undefined);
    await conversation?.close();
  }

  /**
   * Asks the agent; what was sent before is written before. A stream has sent nothing before the agent runs, so that
   * what is asked until then holds for its first message. Fails as the loop does when the query ends first.
   */
  async ask<Subtype extends ControlSubtype>(
    subtype: Subtype,
    fields: ControlFields<Subtype>,
  ): Promise<ControlAnswer<Subtype>> {
    if (this.#ending) throw closedError(this.#ending.error);
    const start = subtype === 'interrupt' ? this.#firstSent() : this.#isStream ? this.#connected : this.#opened;
    return await this.#whileOpen((conversation) => conversation.controlUntyped(subtype, fields), start);
  }

  /** The same, written at once, to an agent that is open: what is sent after this call comes after it. */
  askAtOnce<Subtype extends ControlSubtype>(
    subtype: Subtype,
    fields: ControlFields<Subtype>,
  ): Promise<ControlAnswer<Subtype>> {
    if (this.#ending || this.#conversation === undefined) return Promise.reject(closedError(this.#ending?.error));
    const answer = this.#attempt(this.#conversation, (open) => open.controlUntyped(subtype, fields));
    return handled(this.#calls.orEnd(answer as Promise<ControlAnswer<Subtype>>)); // the agent's own answer
  }

  /** The agent's introduction, which stays readable after the end. */
  async introduction(): Promise<InitializeResult> {
    return await this.#whileOpen(async ({ ready }) => await (this.#introduction ?? ready));
  }

  /** Replaces the introduction of the agent, and drops the changes since the first one. */
  introduceAs(introduction: Promise<InitializeResult>): void {
    this.#introduction = handled(introduction);
    this.#progress.forgetCommands();
  }

  /** Resolves when the agent has exited by itself or was ended, and what was opened for it is closed. */
  async gone(): Promise<void> {
    const conversation = await this.#opened.catch(() => undefined);
    await conversation?.exited;
    await conversation?.close();
  }

  /** Lets the agent finish its messages, and reads nothing more of the prompt. */
  letGo(): void {
    this.#input?.stop();
    this.#conversation?.finish().catch(() => {});
  }

  /** The latest commands, once they have changed since the introduction. */
  get commands(): SlashCommand[] | undefined {
    return this.#progress.commands;
  }

  /** Calls back with each list of commands after a change. The last caller counts. */
  onCommands(listener: (commands: SlashCommand[]) => void): void {
    this.#progress.onCommands = listener;
  }

  /** Sends a stream; its own error is its sender's. Resolves when the agent has what it yielded. */
  async follow(stream: Exclude<Prompt, string>): Promise<void> {
    if (this.#ending) throw unsentError(this.#ending.error);
    const sent = this.#opened.then(async () => await this.#input?.follow(stream));
    const last = await this.#calls.orEnd(sent);
    // The agent reads in order: it has the others then.
    await this.#whileOpen(async () => await last?.received);
  }

  /** Runs what needs the agent. Rejects when the query ends first. */
  async #whileOpen<T>(
    work: (conversation: Conversation) => Promise<T>,
    start: Promise<Conversation> = this.#opened,
  ): Promise<T> {
    return await this.#calls.orEnd(start.then((conversation) => this.#attempt(conversation, work)));
  }

  async #attempt<T>(conversation: Conversation, work: (conversation: Conversation) => Promise<T>): Promise<T> {
    try {
      return await work(conversation);
    } catch (error) {
      throw await this.#failureOf(error, conversation);
    }
  }

  /** An interrupt before the message that it is to stop would stop nothing: a stream that has one yields it by then. */
  async #firstSent(): Promise<Conversation> {
    const conversation = await this.#opened;
    await Promise.race([this.#input?.begun, new Promise(setImmediate)]);
    return conversation;
  }

  async #failureOf(error: unknown, { exited }: Conversation): Promise<unknown> {
    if (!SdkError.is(error)) return this.#ending ? this.#lost() : error;
    if (isRefusal(error)) return officialError(error);
    if (this.#ending) return this.#lost();
    if (error.code === 'AGENT_EXITED') return (await this.#endByExit(exited, error)).error ?? closedError(error);
    return error.code === 'CHANNEL_CLOSED' ? closedError(error) : officialError(error);
  }

  /** The error for what waits for the agent at the end of the query. */
  #lost(): unknown {
    return this.#ending?.error ?? closedError();
  }

  #begin(conversation: Conversation): Conversation {
    if (this.#ending) return conversation; // `closed()` waits for it and closes it
    this.#conversation = conversation;
    this.#source = conversation.allMessages((message) => this.#progress.note(message));
    const fail = (error: unknown): void => this.stop({ error });
    this.#input = new Input({ conversation, fail, ...this.#inputOptions });
    if (this.#prompt === undefined) void conversation.exited.then((exit) => this.#leftUnasked(exit));
    else this.#input.begin(this.#prompt);
    this.#readable.resolve();
    return conversation;
  }

  /** The agent has exited before there was a prompt; later the exit is reported to the reader. */
  #leftUnasked(exit: Exit): void {
    if (this.#prompt !== undefined || this.#ending) return;
    this.stop({ error: exitError(exit, { lost: [], details: ['It had not been asked anything yet.'] }) });
  }

  #abort(signal: AbortSignal): void {
    const source = this.#source;
    this.stop({ error: abortedError(signal, this.#progress) });
    // The conversation ends with its own error for this, which its callbacks receive as the reason.
    if (source !== undefined) this.#opening.abort(signal.reason);
  }

  readonly #arrived = (step: IteratorResult<unknown>): Step | Promise<Step> => {
    this.#waiting -= 1;
    if (this.#ending) return this.#finish();
    if (step.done === true) return this.#conclude();
    // In the official package a program may change what it reads, and messages beyond the official ones have no type.
    return step as IteratorYieldResult<SDKMessage>;
  };

  readonly #broken = async (error: unknown): Promise<Step> => {
    this.#waiting -= 1;
    if (SdkError.is(error) && error.code === 'AGENT_EXITED') return await this.#conclude(error);
    this.#end({ error: officialError(error) });
    return await this.#finish();
  };

  async #conclude(cause?: unknown): Promise<Step> {
    const { exited } = await this.#opened;
    this.#end(await this.#endByExit(exited, cause));
    return await this.#finish();
  }

  /** All calls that wait at the exit reject with the same error. */
  #endByExit(exited: Conversation['exited'], cause?: unknown): Promise<Ending> {
    const sent = this.#input ?? { unanswered: new Set(), isPromptLost: false };
    this.#endingByExit ??= exited.then((exit) => endingOf(exit, this.#progress, sent, cause));
    return this.#endingByExit;
  }

  #end(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#step?.catch(() => {});
    this.#forgetSignal();
    this.#input?.stop();
    this.#calls.end(() => this.#lost());
    this.#readable.resolve();
    this.#onEnd?.(ending);
  }

  /** The last step: one call rejects with the error, later ones are done. */
  #finish(): Promise<Step> {
    const ending = this.#ending ?? {};
    if (this.#isErrorReported || !('error' in ending)) return Promise.resolve({ done: true, value: undefined });
    this.#isErrorReported = true;
    return Promise.reject(ending.error);
  }
}

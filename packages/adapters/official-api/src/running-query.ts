import { AbortError, SdkError, type AgentMessage, type Conversation } from '@hexagent/ports';
import { Deferred } from '@hexagent/streams';
import { endingOf, failureOf, type Ending } from './ending.ts';
import { Input, type Prompt } from './input.ts';
import type { SDKMessage } from './types/messages.ts';
import type { SDKResultMessage } from './types/results.ts';

type Step = IteratorResult<SDKMessage, void>;
type Fields = Readonly<Record<string, unknown>>;

export interface RunningQueryOptions {
  readonly prompt: Prompt;
  /** The program's own; never handed on, so that nothing but this query listens to it. */
  readonly signal: AbortSignal | undefined;
  readonly open: (signal: AbortSignal) => Promise<Conversation>;
}

/**
 * One query from its start to its end. Hand-written, because a generator's `return()` waits for a pending `next()`, and
 * leaving a loop must not wait for the agent.
 */
export class RunningQuery {
  readonly #opened: Promise<Conversation>;
  readonly #opening = new AbortController();
  /** Resolves when messages can be read, or never will be. */
  readonly #readable = new Deferred<void>();
  readonly #forgetSignal: () => void;
  #source: AsyncIterator<AgentMessage> | undefined;
  #input: Input | undefined;
  #lastResult: SDKResultMessage | undefined;
  #results = 0;
  #ending: Ending | undefined;
  #concluding: Promise<void> | undefined;

  constructor({ prompt, signal, open }: RunningQueryOptions) {
    this.#opened = signal?.aborted
      ? Promise.reject(abortError(signal))
      : open(this.#opening.signal).then(
          (conversation) => this.#begin(conversation, prompt),
          (error: unknown) => {
            // A start that was taken back fails for no reason of its own.
            throw this.#ending ? this.#closed() : error;
          },
        );
    this.#opened.catch((error: unknown) => this.stop({ error }));
    this.#forgetSignal = onAbort(signal, (aborted) => this.#abort(aborted));
  }

  next(): Promise<Step> {
    if (this.#ending) return this.#tell();
    if (this.#source === undefined) return this.#readable.promise.then(() => this.next());
    return this.#source.next().then(this.#arrived, this.#broken);
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

  /** Resolves when the agent has gone. */
  async closed(): Promise<void> {
    const conversation = await this.#opened.catch(() => undefined);
    await conversation?.close();
  }

  /** Asks the agent; what was said before is written before. */
  async ask(subtype: string, fields: Fields = {}): Promise<Fields> {
    const conversation = await this.#live();
    return await conversation.control(subtype, fields);
  }

  /** The agent's introduction, which stays readable after the end. */
  async introduction(): Promise<Fields> {
    const conversation = await this.#opened;
    return await conversation.ready;
  }

  async follow(stream: Exclude<Prompt, string>): Promise<void> {
    await this.#live();
    await this.#input?.follow(stream);
  }

  async #live(): Promise<Conversation> {
    if (this.#ending) throw this.#closed();
    const conversation = await this.#opened;
    if (this.#ending) throw this.#closed();
    return conversation;
  }

  #closed(): SdkError {
    return new SdkError(
      'CONVERSATION_CLOSED',
      'The query has ended.',
      this.#ending?.error === undefined ? {} : { cause: this.#ending.error },
    );
  }

  #begin(conversation: Conversation, prompt: Prompt): Conversation {
    if (this.#ending) return conversation; // whoever ended it waits to close this
    this.#source = conversation.messages;
    this.#input = new Input(conversation, (error) => this.stop({ error }));
    this.#input.begin(prompt);
    this.#readable.resolve();
    return conversation;
  }

  #abort(signal: AbortSignal): void {
    const source = this.#source;
    this.stop({ error: abortError(signal) });
    // The conversation has an ending of its own for this, and its callbacks a reason.
    if (source !== undefined) this.#opening.abort(signal.reason);
  }

  readonly #arrived = (step: IteratorResult<unknown>): Step | Promise<Step> => {
    if (this.#ending) return this.#tell();
    if (step.done === true) return this.#conclude();
    // What the agent said, whose form the official types spell out; the engine names less of it.
    const arrived = step as IteratorYieldResult<SDKMessage>;
    if (arrived.value.type === 'result') {
      this.#lastResult = arrived.value;
      this.#results += 1;
    }
    return arrived;
  };

  readonly #broken = (error: unknown): Promise<Step> => {
    this.#end(failureOf(error, this.#course()));
    return this.#tell();
  };

  async #conclude(): Promise<Step> {
    this.#concluding ??= this.#opened.then(async ({ exited }) => this.#end(endingOf(await exited, this.#course())));
    await this.#concluding;
    return await this.#tell();
  }

  #course(): Parameters<typeof endingOf>[1] {
    return { lastResult: this.#lastResult, results: this.#results, said: this.#input?.said ?? 0 };
  }

  #end(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    this.#forgetSignal();
    this.#input?.stop();
    this.#readable.resolve();
  }

  /** An error is told once. */
  #tell(): Promise<Step> {
    const ending = this.#ending ?? {};
    this.#ending = {};
    return 'error' in ending ? Promise.reject(ending.error) : Promise.resolve({ done: true, value: undefined });
  }
}

function abortError(signal: AbortSignal): AbortError {
  return new AbortError('The query was aborted.', { cause: signal.reason });
}

/** Calls back once. Returns what takes the listener off again: signals outlive many queries (#14). */
function onAbort(signal: AbortSignal | undefined, callback: (signal: AbortSignal) => void): () => void {
  if (signal === undefined || signal.aborted) return () => {};
  const listener = (): void => callback(signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

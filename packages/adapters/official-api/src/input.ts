import { SdkError, type Conversation, type Turn, type UserInput } from '@hexagent/ports';
import { Deferred, notify } from '@hexagent/async';
import type { SentMessages } from './ending.ts';
import { unsentError } from './errors.ts';
import { checkStep, iteratorOf, promptItemOf, type PromptItem } from './prompt-items.ts';
import type { SDKUserMessage } from './types/messages.ts';

/** Taken once, so that a test that replaces the timers of its process does not keep a query from ending. */
const nextTask = setImmediate;

/** The prompt of a query. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

export interface InputOptions {
  readonly conversation: Conversation;
  /** Whether the agent may send requests to the program until it reports that it is idle. */
  readonly mayBeAsked: () => boolean;
  /** No message is taken for a command. */
  readonly isVerbatim: boolean;
  /** Called with the error of a message that will never be answered. */
  readonly fail: (error: unknown) => void;
}

/**
 * Sends what the program gives, in order, and ends the input when nothing more will follow: once all streams have ended
 * and everything was answered. With callbacks it waits until the agent is idle; until then more may be sent.
 */
export class Input implements SentMessages {
  readonly #conversation: Conversation;
  readonly #mayBeAsked: () => boolean;
  readonly #isVerbatim: boolean;
  readonly #fail: (error: unknown) => void;
  readonly #streams = new Set<Iterator>();
  readonly #stopped = new Deferred<void>();
  readonly #unanswered = new Set<string>();
  readonly #begun = new Deferred<void>();
  #hasSent = false;
  #isPromptLost = false;
  /** Streams that are read, and messages without an answer. */
  #holds = 0;
  #isFinished = false;

  constructor({ conversation, mayBeAsked, isVerbatim, fail }: InputOptions) {
    this.#conversation = conversation;
    this.#mayBeAsked = mayBeAsked;
    this.#isVerbatim = isVerbatim;
    this.#fail = fail;
  }

  get unanswered(): ReadonlySet<string> {
    return this.#unanswered;
  }

  get isPromptLost(): boolean {
    return this.#isPromptLost;
  }

  /** Resolves when the first message was sent, or the stream has ended without one. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Begins with the prompt. An error of its stream is given to `fail`, untouched. */
  begin(prompt: Prompt): void {
    if (typeof prompt !== 'string') {
      this.#drain(prompt).catch((error: unknown) => this.#promptFailed(error));
      return;
    }
    try {
      this.#send({ content: [{ type: 'text', text: prompt }] });
    } catch (error) {
      this.#promptFailed(error);
    }
  }

  #promptFailed(error: unknown): void {
    // The end of the messages reports how the agent exited.
    if (!isClosed(error)) this.#fail(error);
    else this.#isPromptLost = !this.#hasSent;
  }

  /**
   * Sends everything that the stream yields. Resolves at its end, with the turn of its last message.
   * @throws {SdkError} `CONVERSATION_CLOSED` for a message that can no longer be sent.
   */
  async follow(stream: AsyncIterable<SDKUserMessage>): Promise<Turn | undefined> {
    if (this.#isFinished) throw unsentError();
    return await this.#drain(stream);
  }

  /** Sends nothing more. Streams are returned from, so that they can free their resources. */
  stop(): void {
    if (this.#stopped.settled) return;
    this.#stopped.resolve();
    for (const iterator of this.#streams) leave(iterator);
  }

  async #drain(stream: AsyncIterable<SDKUserMessage>): Promise<Turn | undefined> {
    this.#holds += 1;
    let iterator: Iterator | undefined;
    try {
      iterator = iteratorOf(stream);
      this.#streams.add(iterator);
      return await this.#sendAll(iterator);
    } finally {
      if (iterator !== undefined) this.#streams.delete(iterator);
      this.#begun.resolve();
      this.#release();
    }
  }

  async #sendAll(iterator: Iterator): Promise<Turn | undefined> {
    let last: Turn | undefined;
    for (;;) {
      const next = checkStep(await iterator.next());
      if (next.done === true) return last;
      if (this.#stopped.settled) throw unsentError();
      try {
        last = this.#sendItem(promptItemOf(next.value)) ?? last;
      } catch (error) {
        leave(iterator);
        throw error;
      }
    }
  }

  #sendItem(item: PromptItem | undefined): Turn | undefined {
    if (item === undefined) return undefined;
    if ('input' in item) return this.#send(item.input);
    // In the official package the answer to a request that a prompt yields is dropped.
    this.#conversation.controlUntyped(item.subtype, item.fields).catch(() => {});
    return undefined;
  }

  #send(message: UserInput): Turn {
    let turn: Turn;
    try {
      turn = this.#conversation.send(this.#isVerbatim ? verbatim(message) : message);
    } catch (error) {
      throw isClosed(error) ? unsentError(error) : error;
    }
    this.#begun.resolve();
    this.#hasSent = true;
    this.#holds += 1;
    this.#unanswered.add(turn.id);
    const answered = (): void => {
      this.#unanswered.delete(turn.id);
      this.#release();
    };
    turn.result.then(answered, (error: unknown) => {
      // Every other way a turn can break ends the conversation, which fails its reader itself.
      if (SdkError.is(error) && error.code === 'FRAME_INVALID') this.#fail(error);
    });
    return turn;
  }

  #release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    if (!this.#mayBeAsked()) return this.#finish();
    // The result may arrive together with the state `idle`: a program that reacts to the result at once can do so first.
    this.#conversation.idle().then(
      () => nextTask(this.#finish),
      () => {},
    );
  }

  readonly #finish = (): void => {
    if (this.#holds > 0 || this.#isFinished || this.#stopped.settled) return;
    this.#isFinished = true;
    // The end of the messages reports how the agent exits.
    this.#conversation.finish().catch(() => {});
  };
}

type Iterator = AsyncIterator<SDKUserMessage>;

function verbatim(message: UserInput): UserInput {
  return { ...message, fields: { ...message.fields, client_composed: true } };
}

function isClosed(error: unknown): boolean {
  return SdkError.is(error) && error.code === 'CONVERSATION_CLOSED';
}

/** A waiting generator returns later; an error of a stream while it returns is not reported. */
function leave(iterator: Iterator): void {
  notify(() => iterator.return?.());
}

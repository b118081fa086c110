import { SdkError, type AgentMessage, type TurnOutcome } from '@hexagent/ports';
import type { Answer, StartedAnswer } from './answer.ts';

/** The one reader of an answer reads the conversation's own iterator, so that a message passes through no second queue. */
export class LiveAnswer implements Answer, AsyncIterableIterator<AgentMessage> {
  readonly result: Promise<TurnOutcome>;
  readonly #started: Promise<StartedAnswer>;
  /** Aborts the start of the agent. Must not be called once the agent runs. */
  readonly #cancelStart: () => void;
  #isStarted = false;
  #messages: AsyncIterableIterator<AgentMessage> | undefined;
  #isClosed = false;

  constructor(started: Promise<StartedAnswer>, cancelStart: () => void) {
    this.#cancelStart = cancelStart;
    this.#started = started.then(
      (value) => {
        this.#isStarted = true;
        return value;
      },
      (error: unknown) => {
        throw this.#isClosed ? new SdkError('CONVERSATION_CLOSED', 'It was closed before its agent ran.') : error;
      },
    );
    this.result = this.#started.then(({ result }) => result);
    // A failure also rejects the loop, so a program that reads only the messages need not handle this one.
    this.result.catch(() => {});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<AgentMessage, undefined>> {
    if (this.#messages !== undefined) return this.#messages.next();
    const first = this.#first();
    first.catch(() => {}); // `result` rejects with the same error, so this promise may be ignored
    return first;
  }

  /** Called by `break`. Resolves at once; the agent ends in the background. */
  return(): Promise<IteratorResult<AgentMessage, undefined>> {
    void this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#isStarted) this.#cancelStart();
    try {
      await (await this.#started).conversation.close();
    } catch {
      // No agent was started, so there is nothing to end; `result` rejects with the reason.
    }
  }

  async #first(): Promise<IteratorResult<AgentMessage, undefined>> {
    const started = await this.#started.catch((error: unknown) => {
      if (this.#isClosed) return undefined;
      throw error;
    });
    if (started === undefined) return { done: true, value: undefined };
    this.#messages ??= started.messages;
    return await this.#messages.next();
  }
}

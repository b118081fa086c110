import { SdkError, type AgentMessage, type TurnOutcome } from '@hexagent/ports';
import type { Answer, Begun } from './answer.ts';

/** An answer while it comes. Its one reader reads the conversation's own messages; nothing stands between them. */
export class LiveAnswer implements Answer, AsyncIterableIterator<AgentMessage> {
  readonly outcome: Promise<TurnOutcome>;
  readonly #begun: Promise<Begun>;
  /** Takes the start of the agent back; once it runs, this must not be called any more. */
  readonly #takeBack: () => void;
  #hasBegun = false;
  #messages: AsyncIterableIterator<AgentMessage> | undefined;
  #left = false;

  constructor(begun: Promise<Begun>, takeBack: () => void) {
    this.#takeBack = takeBack;
    this.#begun = begun.then(
      (value) => {
        this.#hasBegun = true;
        return value;
      },
      (error: unknown) => {
        throw this.#left ? new SdkError('CONVERSATION_CLOSED', 'It was closed before its agent ran.') : error;
      },
    );
    this.outcome = this.#begun.then(({ outcome }) => outcome);
    // Whoever only reads the messages learns of a failure there.
    this.outcome.catch(() => {});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<AgentMessage, undefined>> {
    if (this.#messages !== undefined) return this.#messages.next();
    const first = this.#first();
    first.catch(() => {}); // whoever leaves it alone has `outcome`
    return first;
  }

  /** Called by `break`: the loop goes on at once, and the agent is ended behind it. */
  return(): Promise<IteratorResult<AgentMessage, undefined>> {
    void this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  async close(): Promise<void> {
    this.#left = true;
    if (!this.#hasBegun) this.#takeBack();
    try {
      await (await this.#begun).conversation.close();
    } catch {
      // It never began, which `outcome` tells; there is nothing to end.
    }
  }

  async #first(): Promise<IteratorResult<AgentMessage, undefined>> {
    const begun = await this.#begun.catch((error: unknown) => {
      if (this.#left) return undefined;
      throw error;
    });
    if (begun === undefined) return { done: true, value: undefined };
    this.#messages ??= begun.conversation.messages;
    return await this.#messages.next();
  }
}

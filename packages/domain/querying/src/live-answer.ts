import type { AgentMessage, TurnOutcome } from '@hexagent/ports';
import type { Answer, Begun } from './answer.ts';

/** An answer while it comes. Its one reader reads the conversation's own messages; nothing stands between them. */
export class LiveAnswer implements Answer, AsyncIterableIterator<AgentMessage> {
  readonly outcome: Promise<TurnOutcome>;
  readonly #begun: Promise<Begun>;
  #messages: AsyncIterableIterator<AgentMessage> | undefined;
  #left = false;

  constructor(begun: Promise<Begun>) {
    this.#begun = begun;
    this.outcome = begun.then(({ outcome }) => outcome);
    // Whoever only reads the messages learns of a failure there.
    this.outcome.catch(() => {});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<AgentMessage, undefined>> {
    return this.#messages === undefined ? this.#first() : this.#messages.next();
  }

  /** Called by `break`: the loop goes on at once, and the agent is ended behind it. */
  return(): Promise<IteratorResult<AgentMessage, undefined>> {
    this.#left = true;
    void this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  async close(): Promise<void> {
    try {
      await (await this.#begun).conversation.close();
    } catch {
      // It never began, which `outcome` and the first `next()` tell; there is nothing to end.
    }
  }

  async #first(): Promise<IteratorResult<AgentMessage, undefined>> {
    const { conversation } = await this.#begun;
    if (this.#left) return { done: true, value: undefined };
    this.#messages ??= conversation.messages;
    return await this.#messages.next();
  }
}

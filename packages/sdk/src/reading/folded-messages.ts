import { handled } from '@hexagent/async';
import type { AgentMessage } from '@hexagent/ports';

export interface Fold<T> {
  /** What a message adds. */
  push(message: AgentMessage): readonly T[];
  /** Called behind the last message. Rejects where the turn did not complete. */
  end(): Promise<readonly T[]>;
}

/**
 * One reading of a turn, as values made of its messages. Opened by the first `next()`, since a reader that never begins must not
 * make the agent wait. What a fold throws ends it: the messages behind that are read and dropped, and the turn continues.
 */
export class FoldedMessages<T> implements AsyncIterableIterator<T> {
  readonly #open: () => AsyncIterator<AgentMessage>;
  readonly #fold: Fold<T>;
  #source: AsyncIterator<AgentMessage> | undefined;
  #ready: readonly T[] = [];
  #isOver = false;
  /** Calls of `next()` are answered in their order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: () => AsyncIterator<AgentMessage>, fold: Fold<T>) {
    this.#open = open;
    this.#fold = fold;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const next = this.#last.then(() => this.#advance());
    this.#last = handled(next).catch(() => {});
    return next;
  }

  /** Called by `break`; works while a `next()` waits, too. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#isOver = true;
    this.#ready = [];
    await (this.#source ??= this.#open()).return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #advance(): Promise<IteratorResult<T, undefined>> {
    while (this.#ready.length === 0 && !this.#isOver) await this.#read();
    const [value, ...others] = this.#ready;
    if (value === undefined) return { done: true, value: undefined };
    this.#ready = others;
    return { done: false, value };
  }

  async #read(): Promise<void> {
    try {
      const { done, value } = await (this.#source ??= this.#open()).next();
      if (this.#isOver) return; // the reader has left meanwhile
      if (done !== true) {
        this.#ready = this.#fold.push(value);
        return;
      }
      this.#isOver = true;
      this.#ready = await this.#fold.end();
    } catch (error) {
      if (!this.#isOver && this.#source !== undefined) void drain(this.#source);
      this.#isOver = true;
      throw error;
    }
  }
}

/** Reads the rest, which must not make the agent wait. */
async function drain(source: AsyncIterator<AgentMessage>): Promise<void> {
  try {
    while ((await source.next()).done !== true);
  } catch {
    // The outcome reports it.
  }
}

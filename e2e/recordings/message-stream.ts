/** A stream of messages that a test fills. */
export class MessageStream<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #ended = false;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();

  push(value: T): void {
    this.#values.push(value);
    this.#changed.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#changed.resolve();
  }

  fail(error: Error): void {
    this.#changed.reject(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      yield* this.#values.splice(0);
      if (this.#ended) return;
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
    }
  }
}

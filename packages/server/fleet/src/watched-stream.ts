import { SdkError, type Clock } from '@hexagent/ports';

interface WatchedStreamParts {
  readonly source: ReadableStream<Uint8Array>;
  /** Whether the worker whose stream it is still drives the chat. */
  readonly isDriven: () => Promise<boolean>;
  readonly clock: Clock;
  readonly silentAfterMs: number;
  /** Called once, when the stream has ended in any way. */
  readonly ended: () => void;
}

/** The stream of a worker, which fails where the chat has moved to another one: a worker that is cut off ends no stream. */
export class WatchedStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #parts: WatchedStreamParts;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The read that waits for the worker. What the page does not read is no silence of the worker. */
  #waiting: { readonly since: number } | undefined;
  #isOver = false;
  #cancelTimer = (): void => {};

  constructor(parts: WatchedStreamParts) {
    this.#parts = parts;
    this.#reader = parts.source.getReader();
    // Nothing is read ahead of the page: what it does not read stays at the worker.
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: async (reason) => {
          this.#end();
          await this.#reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    this.#watch(parts.silentAfterMs);
  }

  /** Ends it with this error, here and at the worker. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#controller?.error(error);
    this.#reader.cancel(error).catch(() => {});
  }

  async #pull(): Promise<void> {
    this.#waiting = { since: this.#parts.clock.now() };
    try {
      const { done, value } = await this.#reader.read();
      if (this.#isOver) return;
      this.#waiting = undefined;
      if (!done) return this.#controller?.enqueue(value);
      this.#end();
      this.#controller?.close();
    } catch (error) {
      this.fail(error);
    }
  }

  /** One timer for the stream: a timer for each chunk would cost more than passing it on. */
  #watch(ms: number): void {
    this.#cancelTimer = this.#parts.clock.after(ms, () => void this.#review());
  }

  async #review(): Promise<void> {
    const { clock, silentAfterMs, isDriven } = this.#parts;
    const waiting = this.#waiting;
    const left = (waiting?.since ?? clock.now()) + silentAfterMs - clock.now();
    this.#watch(left > 0 ? left : silentAfterMs);
    if (left > 0) return;
    // A store that cannot be read says nothing about the worker: the next silence asks again.
    const isStill = await isDriven().catch(() => true);
    if (!isStill && waiting === this.#waiting)
      this.fail(new SdkError('WORKER_UNREACHABLE', 'The worker of this stream does not drive the chat any more.'));
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#parts.ended();
  }
}

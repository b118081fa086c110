import type { ChatStream } from '@hexagent/ports';

const encoder = new TextEncoder();
const eventStream = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' };

/** A turn that a test writes: each reader gets all of it from its beginning. */
export class HandTurn {
  readonly #readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #ended: (written: string | undefined) => void;
  #written = '';
  #isOver = false;
  /** Readers that went away. */
  cancelled = 0;

  constructor(ended: (written: string | undefined) => void = () => {}) {
    this.#ended = ended;
  }

  read(): ChatStream {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        if (this.#written !== '') controller.enqueue(encoder.encode(this.#written));
        if (this.#isOver) controller.close();
        else this.#readers.add(controller);
      },
      cancel: () => {
        this.cancelled += 1;
        if (own !== undefined) this.#readers.delete(own);
      },
    });
    return { headers: eventStream, body };
  }

  write(text: string): void {
    this.#written += text;
    for (const reader of this.#readers) reader.enqueue(encoder.encode(text));
  }

  /** The history has as its answer what was written, or another text. */
  end(answer: string = this.#written): void {
    this.#over(answer, (reader) => reader.close());
  }

  /** Breaks off, as a source of bytes does whose process dies. */
  fail(error: Error): void {
    this.#over(this.#written, (reader) => reader.error(error));
  }

  /** Ends as with an agent that dies: the streams end, and its message waits until a person continues it. */
  cut(): void {
    this.#over(undefined, (reader) => reader.close());
  }

  #over(answer: string | undefined, leave: (reader: ReadableStreamDefaultController<Uint8Array>) => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(answer);
    for (const reader of this.#readers) leave(reader);
    this.#readers.clear();
  }
}

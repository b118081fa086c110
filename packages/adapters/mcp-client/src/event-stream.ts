import { onAbort } from '@hexagent/async';
/** One message may hold a file. */
export const maxMessageBytes: number = 256 * 1024 * 1024;

const newline = 10;
const idField = new TextEncoder().encode('id:');

export interface StreamEnd {
  /** An event had an id, so the stream can be continued from there. */
  readonly isResumable: boolean;
  /** What broke it; `undefined` when the server closed it. */
  readonly error?: unknown;
}

/** What is to be read at the end of a stream instead of nothing: an event of ours, or the error that ended it. */
export type LastWord = { readonly event: object } | { readonly error: unknown } | undefined;

/**
 * Hands on the body of an event stream as it arrives, and lets `onEnd` add a last event: in this order, however it is read
 * the stream has read all before it.
 */
export function watchEvents(
  body: ReadableStream<Uint8Array>,
  { signal, onEnd }: { readonly signal?: AbortSignal | undefined; readonly onEnd: (end: StreamEnd) => LastWord },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines = new LineScan();
  onAbort(signal, () => void reader.cancel().catch(() => {}));
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, failure: { error?: unknown }): void => {
    const last = signal?.aborted === true ? undefined : onEnd({ isResumable: lines.hasId, ...failure });
    if (last !== undefined && 'error' in last) return controller.error(last.error);
    // Two line ends close an event that was cut off in its middle.
    if (last !== undefined) controller.enqueue(encode(`\n\ndata: ${JSON.stringify(last.event)}\n\n`));
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return finish(controller, {});
        lines.scan(value);
        controller.enqueue(value);
      } catch (error) {
        void reader.cancel().catch(() => {});
        finish(controller, { error });
      }
    },
    cancel: async (reason) => await reader.cancel(reason),
  });
}

/** Hands on a body until it is longer than a message may be. */
export function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let length = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length > maxMessageBytes) controller.error(tooLong());
        else controller.enqueue(chunk);
      },
    }),
  );
}

/** Scans the beginning of each line, and counts the length of the one that is not ended. */
class LineScan {
  #length = 0;
  /** How much of `id:` the line that is not ended has had so far; -1 when it is another. */
  #matched = 0;
  hasId = false;

  scan(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      this.#read(chunk, start, end === -1 ? chunk.length : end);
      if (end === -1) break;
      this.#length = 0;
      this.#matched = 0;
      start = end + 1;
    }
    if (this.#length > maxMessageBytes) throw tooLong();
  }

  #read(chunk: Uint8Array, start: number, end: number): void {
    this.#length += end - start;
    for (let at = start; at < end && this.#matched >= 0 && this.#matched < idField.length; at += 1)
      this.#matched = chunk[at] === idField[this.#matched] ? this.#matched + 1 : -1;
    if (this.#matched === idField.length) this.hasId = true;
  }
}

const tooLong = (): Error => new Error(`it sent a message longer than ${maxMessageBytes} bytes`);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

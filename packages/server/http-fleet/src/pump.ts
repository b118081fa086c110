import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Writes a stream as the body of an answer, reading on only as the other side takes it. Settles once all of it is handed over, or
 * the connection has closed; then the stream is cancelled. Rejects where the stream fails.
 */
export async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let drained = (): void => {};
  const closed = (): void => {
    reader.cancel().catch(() => {});
    drained();
  };
  outgoing.on('drain', () => drained());
  outgoing.once('close', closed);
  if (outgoing.destroyed) closed();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (outgoing.write(read.value) || outgoing.destroyed) continue;
    await new Promise<void>((resolve) => (drained = resolve));
  }
  outgoing.off('close', closed);
  outgoing.end();
}

/**
 * The body of an answer as a stream, which asks for more of the connection only as it is read. Cancelling it closes the connection.
 * `broken` makes the error of one that does not come to its end; `over` is called once, whatever the end.
 */
export function toBody(
  incoming: IncomingMessage,
  { broken, over }: { readonly broken: (cause: unknown) => Error; readonly over: () => void },
): ReadableStream<Uint8Array> {
  let isOver = false;
  const end = (report: () => void): void => {
    if (isOver) return;
    isOver = true;
    report();
    over();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      const fail = (cause?: unknown): void => end(() => controller.error(broken(cause)));
      incoming.once('end', () => (incoming.complete ? end(() => controller.close()) : fail()));
      incoming.on('error', fail);
      incoming.once('close', fail);
      if (incoming.destroyed) fail(incoming.errored);
    },
    pull: () => void incoming.resume(),
    cancel() {
      end(() => incoming.destroy());
    },
  });
}

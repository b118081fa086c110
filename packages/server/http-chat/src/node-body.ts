import type { IncomingMessage } from 'node:http';

/** The body of a request, read on demand: what is not read stays in the connection. */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else if (value instanceof Uint8Array) controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

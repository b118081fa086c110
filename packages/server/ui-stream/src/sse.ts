import type { Clock } from '@hexagent/ports';
import type { UiChunk } from './ui-chunk.ts';

/** The headers of a response whose body is `sseStream`. */
export const uiStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-vercel-ai-ui-message-stream': 'v1',
  // Without it, nginx holds the events back until it has a buffer full of them.
  'x-accel-buffering': 'no',
};

/** How to send chunks. */
export interface SseOptions {
  /** Measures the silence, after which a comment is sent, since proxies close idle connections. Without it, none is sent. */
  readonly clock?: Clock | undefined;
  /**
   * Ids that a client sends back when it connects again (`Last-Event-ID`): one before the first chunk, and one at the
   * end. Either may be `undefined`.
   */
  readonly ids?: { readonly first: string | undefined; readonly last: () => string | undefined } | undefined;
}

const encoder = new TextEncoder();
const keepAlive = encoder.encode(': keep-alive\n\n');
const keepAliveMs = 15_000;

/**
 * The chunks as server-sent events, which is how a page of the AI SDK gets them. Nothing is read ahead: the next chunk is
 * taken when the connection takes it. Cancelling the stream ends the iteration.
 */
export function sseStream(chunks: AsyncIterable<UiChunk>, { clock, ids }: SseOptions = {}): ReadableStream<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let stopWaiting = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (ids?.first !== undefined) controller.enqueue(encoder.encode(`${idLine(ids.first)}\n`));
      },
      async pull(controller) {
        const remind = (): void => {
          // No comment is sent to a connection that does not read: it would only fill the queue.
          if ((controller.desiredSize ?? -1) >= 0) controller.enqueue(keepAlive);
          wait();
        };
        const wait = (): void => void (stopWaiting = clock?.after(keepAliveMs, remind) ?? stopWaiting);
        wait();
        const last = await nextOf(source);
        stopWaiting();
        if (last.bytes !== undefined) controller.enqueue(last.bytes);
        if (!last.isLast) return;
        controller.enqueue(encoder.encode(`${idLine(ids?.last())}data: [DONE]\n\n`));
        controller.close();
      },
      async cancel() {
        stopWaiting();
        await source.return?.();
      },
    },
    // Without it, a chunk would be taken before the connection reads.
    { highWaterMark: 0 },
  );
}

/** An event without data sets the id, and is no event for the page. */
function idLine(id: string | undefined): string {
  return id === undefined ? '' : `id: ${id}\n`;
}

async function nextOf(
  source: AsyncIterator<UiChunk>,
): Promise<{ readonly bytes?: Uint8Array; readonly isLast: boolean }> {
  try {
    const next = await source.next();
    return next.done === true ? { isLast: true } : { bytes: encode(next.value), isLast: false };
  } catch {
    // The reason may be a secret of the server.
    return { bytes: encode({ type: 'error', errorText: 'The connection to the answer was lost.' }), isLast: true };
  }
}

function encode(chunk: UiChunk): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(chunk)}

`);
}

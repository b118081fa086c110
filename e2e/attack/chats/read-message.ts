import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { errorText } from '../error-text.ts';

export interface MessageReading {
  readonly signal: AbortSignal;
  readonly onChunk: (chunk: UIMessageChunk) => void;
  /** Waits after each chunk, where the page reads slowly. */
  readonly pause: () => Promise<unknown> | undefined;
}

/** What a page has of one stream. */
export interface ReadMessage {
  readonly text: string;
  /** Without what the end of the agent is shown as, which is not an error of the stream. */
  readonly errors: readonly string[];
  readonly hasEnded: boolean;
  /** `finish`, `abort`, `error`, or nothing. */
  readonly last: string | undefined;
}

/** Reads a stream to its end with the reader of `ai`, which checks that it is a message. */
export async function readMessage(
  stream: ReadableStream<UIMessageChunk>,
  { signal, onChunk, pause }: MessageReading,
): Promise<ReadMessage> {
  const errors: string[] = [];
  let last: UIMessageChunk | undefined;
  let hasEnded = false;
  const watched = stream.pipeThrough(
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform: async (chunk, controller) => {
        last = chunk;
        onChunk(chunk);
        controller.enqueue(chunk);
        await pause();
      },
      flush: () => void (hasEnded = true),
    }),
    { signal },
  );
  let message: UIMessage | undefined;
  const onError = (error: unknown): unknown => errors.push(errorText(error));
  try {
    for await (const each of readUIMessageStream({ stream: watched, onError })) message = each;
  } catch (error) {
    if (!signal.aborted) errors.push(errorText(error));
  }
  const isEnd = last?.type === 'finish' || last?.type === 'abort' || last?.type === 'error';
  return {
    text: message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '',
    errors: errors.filter((text) => last?.type !== 'error' || !text.includes(last.errorText)),
    hasEnded,
    last: isEnd ? last?.type : undefined,
  };
}

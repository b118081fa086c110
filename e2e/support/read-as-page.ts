import { readUIMessageStream, safeValidateUIMessages, uiMessageChunkSchema, type UIMessage } from 'ai';
import type { UiChunk, UiData, UiMessage, UiTurnMetadata } from '@hexagent/ui-stream';
import { expect } from 'vitest';

/** A message as a page has it. */
export type PageMessage = UIMessage<UiTurnMetadata, UiData>;

export interface ReadAsPage {
  /** The answer as the page has it at the end. */
  readonly message: PageMessage;
  /** What made the page's reader stop, or what it would report. */
  readonly errors: readonly string[];
}

/** Reads chunks with the parts of `ai` that a page reads them with; fails for a chunk or a message it does not take. */
export async function readAsPage(chunks: readonly UiChunk[]): Promise<ReadAsPage> {
  const schema = uiMessageChunkSchema();
  for (const chunk of chunks) {
    const checked = await schema.validate?.(chunk);
    expect(checked?.success, `A chunk that \`ai\` does not take: ${JSON.stringify(chunk)}`).toBe(true);
  }
  const errors: string[] = [];
  const stream = new ReadableStream<UiChunk>({
    start(controller) {
      // Over the wire, chunks are JSON: what that loses is lost here too.
      for (const chunk of chunks) controller.enqueue(JSON.parse(JSON.stringify(chunk)) as UiChunk);
      controller.close();
    },
  });
  let message: PageMessage = { id: '', role: 'assistant', parts: [] };
  const messages = readUIMessageStream<PageMessage>({ stream, onError: (error) => errors.push(String(error)) });
  for await (const each of messages) message = each;
  await expectValid([message]);
  return { message, errors };
}

/** Fails for messages that `ai` would not take back from a page. */
export async function expectValid(messages: readonly (PageMessage | UiMessage)[]): Promise<void> {
  expect(await safeValidateUIMessages({ messages: JSON.parse(JSON.stringify(messages)) })).toMatchObject({
    success: true,
  });
}

/** The parts of a message that a page would show as not finished. */
export function openPartsOf({ parts }: PageMessage): readonly unknown[] {
  return parts.filter((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.state !== 'done';
    if (part.type !== 'dynamic-tool') return false;
    return !part.state.startsWith('output-') || (part.state === 'output-available' && part.preliminary === true);
  });
}

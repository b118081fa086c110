import { createReplayBuffer, createUiTranslator, sseStream, uiStreamHeaders, type UiChunk } from '@hexagent/ui-stream';
import { DefaultChatTransport } from 'ai';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { collect } from '../support/collect.ts';
import { readAsPage, type PageMessage } from '../support/read-as-page.ts';
import { turnsOf, type TurnEvent } from './recorded-turns.ts';
import { feed } from './translate.ts';

const names = (await listRecordings()).filter(({ use }) => use !== 'corpus').map(({ name }) => name);

/** The chunks of each event of a turn, and of its end. */
function chunksOf(turn: readonly TurnEvent[]): readonly (readonly UiChunk[])[] {
  const translator = createUiTranslator({ messageId: 'answer' });
  return [...turn.map((event) => feed(translator, event)), translator.end()];
}

/** What a reader has read that joined and paused at such places. */
async function readSlowly(all: readonly (readonly UiChunk[])[], joins: number, pace: number): Promise<UiChunk[]> {
  const buffer = createReplayBuffer();
  const read: UiChunk[] = [];
  let reader: AsyncIterator<UiChunk> | undefined;
  for (const [index, chunks] of all.entries()) {
    buffer.push(chunks);
    if (index === joins) reader = buffer.read();
    // Every chunk that is pushed is there at once, so one of them can be read without waiting.
    if (reader !== undefined && chunks.length > 0 && index % pace === 0) {
      const next = await reader.next();
      if (next.done !== true) read.push(next.value);
    }
  }
  buffer.end();
  for (;;) {
    const next = await (reader ??= buffer.read()).next();
    if (next.done === true) return read;
    read.push(next.value);
  }
}

describe('A turn that is replayed', () => {
  it.each(names)('is the same message whenever a page joins and however slowly it reads: %s', async (name) => {
    for (const turn of turnsOf(await loadRecording(name)).slice(0, 3)) {
      const all = chunksOf(turn);
      const { message } = await readAsPage(all.flat());
      for (const joins of [0, Math.floor(all.length / 3), Math.floor(all.length / 1.2), Infinity])
        for (const pace of [1, 3]) {
          const late = await readAsPage(await readSlowly(all, joins, pace));
          expect(late.message).toEqual(message);
        }
    }
  });

  it('reaches a page over the transport that it uses by default', async () => {
    const [turn = []] = turnsOf(await loadRecording('30-partial-messages-text-thinking-tool'));
    const buffer = createReplayBuffer();
    const chunks = chunksOf(turn).flat();
    buffer.push(chunks);
    buffer.end();
    const fetch = async (): Promise<Response> => new Response(sseStream(buffer.read()), { headers: uiStreamHeaders });
    const transport = new DefaultChatTransport<PageMessage>({ api: 'http://localhost/chat', fetch });
    const asked = { chatId: 'c', messages: [], abortSignal: undefined } as const;
    const stream = await transport.sendMessages({
      ...asked,
      trigger: 'submit-message',
      messageId: undefined,
      messages: [],
    });
    // The types of `ai` name chunks that are not sent.
    const received = (await collect(stream)) as UiChunk[];
    expect((await readAsPage(received)).message).toEqual((await readAsPage(chunks)).message);
  });
});

import { ask, file, image, openSession } from '@hexagent/sdk';
import type { MessagesBody, SentBlock } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

/** An image of two by two pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAGUlEQVR4AQEOAPH/APZ3wM7r+wAfKEtaYiE3KAZRg2wNYAAAAABJRU5ErkJggg==',
  'base64',
);

function sentBlocks(requests: readonly { readonly body: MessagesBody }[]): readonly SentBlock[] {
  const message = requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user');
  return typeof message?.content === 'object' ? message.content : [];
}

withCli('Images and files', () => {
  it('reach the model as blocks, in the order of the message', async () => {
    await using place = await stage(() => 'Seen.');
    await using session = await openSession(place.options);
    const document = await file(Buffer.from('%PDF-1.4\n%%EOF'), { title: 'report.pdf' });
    const text = await file(Buffer.from('a,b\n1,2'), { title: 'table.csv' });
    const outcome = await session.sendAndWait(['What is this?', await image(png), document, text]);
    expect(outcome).toMatchObject({ kind: 'completed', text: 'Seen.' });
    const sent = sentBlocks(place.loopback.requests);
    expect(sent.filter(({ type }) => type !== 'text')).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
      expect.objectContaining(document),
      expect.objectContaining(text),
    ]);
    expect(sent).toContainEqual({ type: 'text', text: 'What is this?' });
  });

  it('reach the model by ask()', async () => {
    await using place = await stage(() => 'Seen.');
    expect(await ask([await image(png), 'And this?'], place.options).text()).toBe('Seen.');
    expect(sentBlocks(place.loopback.requests)).toContainEqual(expect.objectContaining({ type: 'image' }));
  });
});

import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, file, image, openSession } from '@hexagent/sdk';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexagent-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n%%EOF');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('image()', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/gif', Buffer.from('GIF89a')],
    ['image/webp', Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1')],
  ])('finds the type %s by the first bytes, whatever the name of the file', async (type, bytes) => {
    const block = { type: 'image', source: { type: 'base64', media_type: type, data: base64(bytes) } };
    expect(await image(await written('shot.bmp', bytes))).toEqual(block);
    expect(await image(pathToFileURL(join(folder, 'shot.bmp')))).toEqual(block);
    expect(await image(new Uint8Array(bytes))).toEqual(block);
  });

  it('takes only the part of a buffer that the bytes are a view of', async () => {
    const whole = Uint8Array.from([...pdf, ...png, ...pdf]);
    expect(await image(whole.subarray(pdf.length, pdf.length + png.length))).toMatchObject({
      source: { data: base64(png) },
    });
  });

  it('throws for bytes that the model does not read as an image', async () => {
    await expect(image(Buffer.from('BM..'))).rejects.toThrow(
      new TypeError('the data is not an image that the model reads, which are PNG, JPEG, GIF and WebP.'),
    );
    await expect(image(pdf)).rejects.toThrow('It is a PDF: pass it to file().');
  });
});

describe('file()', () => {
  it('makes a document of a PDF and of text, with the name of the file as its title', async () => {
    expect(await file(await written('report.txt', pdf))).toEqual({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: base64(pdf) },
      title: 'report.txt',
    });
    expect(await file(await written('notes.md', 'Grüße'), { title: 'Notes' })).toEqual({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Grüße' },
      title: 'Notes',
    });
    expect(await file(Buffer.from('plain'))).not.toHaveProperty('title');
  });

  it('makes an image of an image', async () => {
    expect(await file(png)).toEqual(await image(png));
  });

  it.each([
    ['bytes without a meaning', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe])],
    ['text with a NUL character', Buffer.from('a\0b')],
  ])('refuses %s', async (_, bytes) => {
    await expect(file(bytes)).rejects.toThrow(
      new TypeError(
        'the data is of a type that the model does not read. Pass a PDF, an image (PNG, JPEG, GIF, WebP), or a text in UTF-8.',
      ),
    );
  });

  it('refuses one that is too large without reading it, with its size and the limit', async () => {
    const path = await written('big.pdf', pdf);
    await truncate(path, 50_000_000_000); // sparse
    const message = `${JSON.stringify(path)} has 50000000000 bytes, and the model's service takes files of at most 23592960.`;
    await expect(file(path)).rejects.toThrow(new TypeError(message));
    await expect(image(path)).rejects.toThrow(new TypeError(message));
    await truncate(path, 23_592_960);
    expect(await file(path)).toMatchObject({ type: 'document' });
  });

  it('throws for anything but a file that can be read', async () => {
    const missing = join(folder, 'missing.pdf');
    await expect(file(missing)).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ENOENT' } });
    await expect(file(folder)).rejects.toThrow(
      new TypeError(`${JSON.stringify(folder)} is not a file. Pass the path of one.`),
    );
    await expect(file(await written('empty.txt', ''))).rejects.toThrow('empty.txt" is empty.');
    await expect(file('')).rejects.toThrow('`source` must be a path, a URL of a file, or bytes');
    await expect(file(5 as never)).rejects.toThrow('`source` must be a path');
    await expect(file(new URL('https://example.test/a.png'))).rejects.toThrow(TypeError);
    await expect(file(pdf, { name: 'x' } as never)).rejects.toThrow('`options.name` is not known');
  });
});

describe('A list as a message', () => {
  it('has texts and blocks, in send(), sendAndWait() and ask()', async () => {
    const content = ['What is this?', await image(png)] as const;
    const sent = { message: { content: [{ type: 'text', text: 'What is this?' }, content[1]] } };
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => 'Done.' }));
    const session = await openSession({ transport });
    session.send(content);
    expect(await agent.next('user')).toMatchObject(sent);
    expect(await session.sendAndWait({ content, priority: 'next' })).toMatchObject({ kind: 'completed' });
    expect(await agent.next('user')).toMatchObject({ ...sent, priority: 'next' });
    await session.close();
    const other = linkedTransport(scriptedAgent({ turns: () => 'Done.' }));
    await ask(content, { transport: other.transport }).result;
    expect(await other.agent.next('user')).toMatchObject(sent);
  });

  it('is refused where it is empty, has an empty text, or has a promise', async () => {
    expect(() => ask([])).toThrow('`prompt` must be text or a list of content blocks');
    expect(() => ask([''])).toThrow('`prompt[0]` must be text');
    const early = image(png);
    expect(() => ask([early as never])).toThrow('`prompt[0]` must be a block, not a promise of one. Put `await`');
    await early;
  });

  it('rejects in sendAndWait() where send() throws', async () => {
    const session = await openSession({
      transport: linkedTransport(scriptedAgent({ turns: () => 'Done.' })).transport,
    });
    await expect(session.sendAndWait('')).rejects.toThrow(TypeError);
    await session.close();
  });
});

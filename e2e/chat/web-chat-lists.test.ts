import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { storedSessions } from '@hexagent/sdk';
import { createChat } from '@hexagent/chat';
import { gate, lastUserText, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { chatPlace, textsOf } from './chat-place.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('chooses a model of the list for the messages from then on', async () => {
    await using place = await chatPlace((request) => `by ${request.body.model}`, {
      models: ['claude-haiku-5-5'],
    });
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    await page.sendMessage({ text: 'two' }, { body: { model: 'claude-haiku-5-5' } });
    await page.sendMessage({ text: 'three' });
    const [first, second, third] = page.messages.filter(({ role }) => role === 'assistant').map(textsOf);
    expect([first === second, second, third]).toEqual([false, 'by claude-haiku-5-5', 'by claude-haiku-5-5']);
    await page.sendMessage({ text: 'four' }, { body: { model: 'claude-opus-4-1' } });
    expect(JSON.parse(page.error?.message ?? '{}')).toMatchObject({ error: { code: 'NOT_ALLOWED' } });
  });

  it('keeps the title that it is given, also while its agent continues', async () => {
    await using place = await chatPlace(() => 'fine');
    const page = place.page();
    const rename = (): Promise<Response> => place.call('/sessions/chat1/rename', { body: { title: 'Slow tests' } });
    expect((await rename()).status).toBe(404);
    await page.sendMessage({ text: 'one' });
    expect((await rename()).status).toBe(200);
    await page.sendMessage({ text: 'two' });
    await place.chat.host.drain();
    expect(await (await place.call('/sessions')).json()).toMatchObject({ sessions: [{ title: 'Slow tests' }] });
  });

  it('is called by its first message until it is renamed', async () => {
    await using place = await chatPlace(() => 'fine');
    const page = place.page();
    for (const text of ['one', 'two']) await page.sendMessage({ text });
    expect(await (await place.call('/sessions')).json()).toMatchObject({ sessions: [{ title: 'one' }] });
  });

  it('is deleted with what the agent stored, also while a turn runs', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'hold' ? text(['held ', gate()]) : 'fine',
    );
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    const stored = storedSessions({ configDir: path.join(place.stage.home.home, '.claude') });
    expect(await stored.list()).toHaveLength(1);
    const sent = page.sendMessage({ text: 'hold' });
    await expect.poll(() => page.messages.length).toBe(4);
    expect((await place.call('/sessions/chat1', { method: 'DELETE' })).status).toBe(204);
    await sent;
    expect(await stored.list()).toEqual([]);
    expect((await place.call('/sessions/chat1/messages')).status).toBe(404);
    expect((await place.call('/sessions/chat1', { method: 'DELETE' })).status).toBe(404);
  });

  it('answers where its folder is a file and what receives errors throws, and never rejects', async () => {
    await using place = await stage(() => 'ok');
    const folder = path.join(place.home.root, 'file');
    await writeFile(folder, '');
    const errors: unknown[] = [];
    const onError = (error: unknown): never => {
      errors.push(error);
      throw new Error('The log is full.');
    };
    const chat = createChat({ session: place.options, folder, onError });
    const response = await chat.handle(new Request('http://localhost/api/sessions'));
    expect([response.status, errors]).toMatchObject([500, [{ code: 'STORE_FAILED' }, { code: 'STORE_FAILED' }]]);
    await chat.close();
  });
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { validateUIMessages, type UIMessage } from 'ai';
import { storedSessions } from '@hexagent/sdk';
import { createChat } from '@hexagent/chat';
import { gate, lastUserText, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { shapeOf } from './page-state.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('keeps the chats and approvals of tenants apart, also where they have the same id', async () => {
    await using place = await chatPlace(
      afterTool(() => 'done'),
      {
        identify: ({ headers }) => ({ name: 'somebody', tenant: headers.get('x-tenant') ?? 'none' }),
      },
    );
    const as =
      (tenant: string) =>
      (path: string, body?: object): Promise<Response> =>
        fetch(`${place.url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json', 'x-tenant': tenant },
          ...(body && { body: JSON.stringify(body) }),
        });
    const [own, other] = [as('a'), as('b')];
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'make it' }] };
    const response = await own('/chat', { id: 'chat1', message });
    await expect.poll(async () => (await place.chat.approvals.list({ state: 'open' })).length).toBe(1);
    const [record] = await place.chat.approvals.list({ state: 'open' });
    const answer = { approved: true };
    expect((await other(`/chat/chat1/approvals/${record?.id}`, answer)).status).toBe(404);
    expect((await other('/chat/chat1/stream')).status).toBe(204);
    expect((await other('/sessions/chat1/messages')).status).toBe(404);
    expect(await (await other('/sessions')).json()).toEqual({ sessions: [], hasMore: false });
    expect(await (await own('/sessions')).json()).toMatchObject({
      sessions: [{ id: 'chat1', state: 'awaiting-approval' }],
    });
    expect((await own(`/chat/chat1/approvals/${record?.id}`, answer)).status).toBe(200);
    expect(await response.text()).toContain('done');
    expect((await place.chat.approvals.get(record?.id ?? ''))?.actor).toBe('somebody');
  });

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

  it('has a history that is what was streamed, with the same ids of answers', async () => {
    await using place = await chatPlace((request) => {
      const asked = lastUserText(request);
      if (asked !== 'tools') return text(['an ', 'answer']);
      return toolResults(request).length === 0
        ? [text('before'), toolUse('Bash', { command: 'echo one' }), toolUse('Glob', { pattern: '*.none' })]
        : text(['and ', 'after']);
    });
    const page = place.page();
    await page.sendMessage({ text: 'hello' });
    await page.sendMessage({ text: 'tools' });
    await page.sendMessage({ text: 'bye' });
    const { messages: stored } = await place.reload('chat1');
    const shapes = (messages: readonly UIMessage[]): unknown =>
      messages.map(({ id, role, parts }) => ({ role, parts: parts.map(shapeOf), ...(role === 'assistant' && { id }) }));
    expect(shapes(stored)).toEqual(shapes(page.messages));
    await validateUIMessages({ messages: stored });
    const half = (await (await place.call('/sessions/chat1/messages?limit=2')).json()) as { messages: UIMessage[] };
    expect(half).toMatchObject({ hasEarlier: true, isRunning: false });
    expect(half.messages.map(({ id }) => id)).toEqual(stored.slice(-2).map(({ id }) => id));
    const before = await place.call(`/sessions/chat1/messages?limit=9&before=${half.messages[0]?.id}`);
    expect(await before.json()).toMatchObject({
      hasEarlier: false,
      messages: stored.slice(0, -2).map(({ id }) => ({ id })),
    });
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

  it('answers with 503 once it is closed, also where it keeps files', async () => {
    await using place = await stage(() => 'ok');
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const chat = createChat({ session: place.options, folder: path.join(place.home.root, 'chats'), onError });
    const list = (): Promise<Response> => chat.handle(new Request('http://localhost/api/sessions'));
    expect((await list()).status).toBe(200);
    await chat.close();
    const response = await list();
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'CLOSING' } }]);
    expect(errors).toEqual([]);
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

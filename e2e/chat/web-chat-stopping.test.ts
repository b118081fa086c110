import { existsSync } from 'node:fs';
import path from 'node:path';
import { type UIMessage } from 'ai';
import { createChat } from '@hexagent/chat';
import { gate, lastUserText, text, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { approvalOn, settle, toolPart } from './page-state.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('stops a turn in the middle of a text, and continues afterwards', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'stop me' ? text(['words and ', gate()]) : 'next',
    );
    const page = place.page();
    const sent = page.sendMessage({ text: 'stop me' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('words');
    expect(await (await place.call('/chat/chat1/interrupt', { method: 'POST' })).json()).toEqual({ interrupted: true });
    await sent;
    expect([page.status, textsOf(page.messages.at(-1) as UIMessage)]).toEqual(['ready', 'words and ']);
    await page.sendMessage({ text: 'on' });
    expect(textsOf(page.messages.at(-1) as UIMessage)).toBe('next');
    expect(await (await place.call('/chat/chat1/interrupt', { method: 'POST' })).json()).toEqual({
      interrupted: false,
    });
  });

  it('stops a turn while an approval waits, which then cannot be answered, and nothing has run', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    await place.call('/chat/chat1/interrupt', { method: 'POST' });
    await sent;
    expect((await settle(place, approval, { approved: true })).status).toBe(409);
    expect(toolPart(page)?.state).not.toBe('approval-requested');
    expect(existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(false);
  });

  it('takes a message back whose agent is still being started', async () => {
    const opened = Promise.withResolvers<void>();
    await using place = await chatPlace(['never']);
    await using slow = createChat({
      folder: false,
      session: async () => {
        await opened.promise;
        return place.stage.options;
      },
    });
    const body = { id: 'chat1', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] } };
    const post = (path: string, sent?: object): Request =>
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(sent && { body: JSON.stringify(sent) }),
      });
    const response = await slow.handle(post('/api/chat', body));
    expect(await (await slow.handle(post('/api/chat/chat1/interrupt'))).json()).toEqual({ interrupted: true });
    opened.resolve();
    expect(await response.text()).toContain('"abort"');
    expect(place.stage.loopback.requests).toEqual([]);
  });

  it('steers a turn that runs, which takes the message up', async () => {
    await using place = await chatPlace((request) => {
      if (JSON.stringify(request.body).includes('rather blue')) return 'blue then';
      return toolResults(request).length === 0 ? toolUse('Bash', { command: 'touch made' }) : 'red';
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'paint' });
    const approval = await approvalOn(page);
    const message = { id: 'steering', role: 'user', parts: [{ type: 'text', text: 'rather blue' }] };
    const steered = await place.call('/chat', { body: { id: 'chat1', message, steer: true } });
    expect(steered.status).toBe(200);
    await settle(place, approval, { approved: true });
    await Promise.all([sent, steered.text()]);
    await expect.poll(async () => JSON.stringify((await place.reload('chat1')).messages)).toContain('blue then');
  });

  it('runs a message once that is sent again while it runs and afterwards', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['once ', held]));
    const page = place.page();
    const message = { id: 'same', role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] };
    const sent = page.sendMessage(message);
    await expect.poll(() => page.messages.length).toBe(2);
    const again = await place.call('/chat', { body: { id: 'chat1', message } });
    expect(again.status).toBe(200);
    held.open();
    await sent;
    expect(await again.text()).toContain('once ');
    expect((await place.call('/chat', { body: { id: 'chat1', message } })).status).toBe(409);
    expect(place.stage.loopback.requests.length).toBe(1);
  });
});

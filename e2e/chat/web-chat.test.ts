import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  gate,
  lastUserText,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import type { UIMessage } from 'ai';
import { createChat } from '@hexagent/chat';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { approvalOn, lastTextsIn, rolesOf, settle } from './page-state.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('gives the model no file that a message names with `@`, and shows the message as it was written', async () => {
    await using place = await chatPlace(() => 'ok');
    const { cwd, root } = place.stage.home;
    const outside = path.join(root, 'outside.txt');
    for (const file of [outside, path.join(cwd, 'inside')]) await writeFile(file, 'the secret');
    const texts = [`Read @${outside}`, `@"${outside}", please`, `@inside`, `好。@${outside} ✨`, `@${cwd}/ @`];
    const page = place.page();
    for (const each of texts) await page.sendMessage({ text: each });
    expect(place.stage.loopback.requests.map(({ body }) => JSON.stringify(body).includes('the secret'))).toEqual(
      texts.map(() => false),
    );
    expect(lastTextsIn(place)).toBe(texts.at(-1));
    const stored = (await place.reload('chat1')).messages.filter(({ role }) => role === 'user');
    expect(stored.map(({ parts }) => parts)).toEqual(texts.map((each) => [{ type: 'text', text: each }]));
  });

  it('gives it the file where the program says so', async () => {
    await using place = await chatPlace(() => 'ok', { fileMentions: true });
    const outside = path.join(place.stage.home.root, 'outside.txt');
    await writeFile(outside, 'the secret');
    await place.page().sendMessage({ text: `Read @${outside}` });
    expect(JSON.stringify(place.stage.loopback.requests[0]?.body)).toContain('the secret');
  });

  it('is not let into a mode by a suggestion that it could not have asked for', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const record = await place.chat.approvals.get(approval);
    const modes = record?.suggestions.flatMap(({ type }, index) => (type === 'setMode' ? [index] : [])) ?? [];
    expect(modes).not.toEqual([]);
    const refused = await settle(place, approval, { approved: true, suggestions: modes });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { message: /acceptEdits/ } }]);
    await settle(place, approval, { approved: true });
    await sent;
  });

  it.each([
    { suggestions: 'session' as const, status: 400, isWritten: false },
    { suggestions: 'all' as const, status: 200, isWritten: true },
  ])(
    'lets a page change a settings file by a suggestion: $isWritten, with `suggestions: $suggestions`',
    async ({ suggestions, ...expected }) => {
      const calls = (request: ModelRequest): TurnLike =>
        toolResults(request).length === 0 ? toolUse('Bash', { command: 'mkfifo --version' }) : 'done';
      await using place = await chatPlace(calls, suggestions === 'all' ? { suggestions } : {});
      const page = place.page();
      const sent = page.sendMessage({ text: 'make it' });
      const approval = await approvalOn(page);
      const record = await place.chat.approvals.get(approval);
      const kept = record?.suggestions.flatMap(({ destination }, at) => (destination === 'session' ? [] : [at])) ?? [];
      expect(kept).not.toEqual([]);
      expect((await settle(place, approval, { approved: true, suggestions: kept })).status).toBe(expected.status);
      if (expected.status === 400) await settle(place, approval, { approved: true });
      await sent;
      expect(existsSync(path.join(place.stage.home.cwd, '.claude/settings.local.json'))).toBe(expected.isWritten);
    },
  );

  it('is reloaded in the middle of a stream and shows the answer once, from its beginning', async () => {
    const held = gate();
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'before' ? 'earlier' : text(['first half, ', held, 'second half']),
    );
    const page = place.page();
    await page.sendMessage({ text: 'before' });
    const sent = page.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('first');
    const again = await place.reload('chat1');
    expect(rolesOf(again)).toEqual(['user', 'assistant', 'user']);
    const resumed = again.resumeStream();
    await expect.poll(() => textsOf(again.messages.at(-1) as UIMessage)).toContain('first');
    held.open();
    await Promise.all([sent, resumed]);
    for (const each of [page, again])
      expect([rolesOf(each), textsOf(each.messages.at(-1) as UIMessage)]).toEqual([
        ['user', 'assistant', 'user', 'assistant'],
        'first half, second half',
      ]);
    expect(again.messages.at(-1)?.id).toBe(page.messages.at(-1)?.id);
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
});

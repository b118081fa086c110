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
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { approvalOn, lastTextsIn, settle, toolPart } from './page-state.ts';

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

  it('shows a denial with its reason, and refuses the second answer', async () => {
    await using place = await chatPlace(afterTool((request) => toolResults(request)[0]?.text ?? ''));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const answers = await Promise.all([
      settle(place, approval, { approved: false, reason: 'not today' }),
      settle(place, approval, { approved: false, reason: 'not today' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await sent;
    expect(toolPart(page)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: 'not today' },
    });
    expect(textsOf(page.messages.at(-1) as UIMessage)).toContain('not today');
  });

  it('refuses a second page while a turn runs, whose message is accepted afterwards', async () => {
    const held = gate();
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'one' ? text(['held ', held]) : `fine ${lastUserText(request)}`,
    );
    const [first, second] = [place.page(), place.page()];
    const sent = first.sendMessage({ text: 'one' });
    await expect.poll(() => first.messages.length).toBe(2);
    await second.sendMessage({ text: 'two' });
    expect([second.status, JSON.parse(second.error?.message ?? '{}')]).toMatchObject([
      'error',
      { error: { code: 'CHAT_BUSY' } },
    ]);
    held.open();
    await sent;
    await second.sendMessage({ text: 'three' });
    expect(second.messages.map(textsOf)).toEqual(['two', 'three', 'fine three']);
  });

  it('takes two messages at once for one turn and one refusal', async () => {
    await using place = await chatPlace((request) => `fine ${lastUserText(request)}`);
    const pages = [place.page(), place.page(), place.page()];
    await Promise.all(pages.map((page, index) => page.sendMessage({ text: `message ${index}` })));
    expect(pages.map(({ status }) => status).toSorted()).toEqual(['error', 'error', 'ready']);
    expect(place.stage.loopback.requests.length).toBe(1);
  });

  it('answers questions, and revises and approves a plan', async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ];
    await using place = await chatPlace((request) => {
      const results = toolResults(request);
      return results.length === 0 ? toolUse('AskUserQuestion', { questions }) : `heard: ${results[0]?.text}`;
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'ask me' });
    const approval = await approvalOn(page);
    const wrong = [
      await settle(place, approval, { approved: true }),
      await settle(place, approval, { approved: true, plan: 'x' }),
      await settle(place, approval, { approved: true, answers: { 'Which size?': 'L' } }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await settle(place, approval, { approved: true, answers: { 'Which colour?': ['Blue'] } })).status).toBe(
      200,
    );
    await sent;
    expect(textsOf(page.messages.at(-1) as UIMessage)).toMatch(/heard: .*Blue/s);
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
});

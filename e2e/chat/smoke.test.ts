import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastUserText, text } from '@hexagent/testing/loopback';
import type { UIMessage } from 'ai';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { approvalOn, rolesOf, settle, toolPart } from './page-state.ts';
import { conversations } from './ui-stream/conversations.ts';
import { isReadAsItsHistory } from './ui-stream/is-read-as-its-history.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('streams an answer, then another one in the same conversation', async () => {
    await using place = await chatPlace((request) => text([`You said ${lastUserText(request)}`, '.']));
    const page = place.page();
    await page.sendMessage({ text: 'one' });
    await page.sendMessage({ text: 'two' });
    expect([page.status, rolesOf(page)]).toEqual(['ready', ['user', 'assistant', 'user', 'assistant']]);
    expect(page.messages.map(textsOf)).toEqual(['one', 'You said one.', 'two', 'You said two.']);
    expect(place.stage.loopback.requests.length).toBe(2);
    expect(place.errors).toEqual([]);
  });

  it('answers an approval out of band while the turn streams', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    expect(existsSync(path.join(place.stage.home.cwd, 'made'))).toBe(false);
    expect(await (await settle(place, approval, { approved: true })).json()).toEqual({ settled: true });
    await sent;
    expect(toolPart(page)).toMatchObject({ state: 'output-available', toolName: 'Bash', approval: { approved: true } });
    expect([textsOf(page.messages[1] as UIMessage), existsSync(path.join(place.stage.home.cwd, 'made'))]).toEqual([
      'done',
      true,
    ]);
  });
});

withCli('A conversation on a page', () => {
  it('is read without an error, and is the same as its history: structured output', () =>
    isReadAsItsHistory(conversations['structured output']!));
});

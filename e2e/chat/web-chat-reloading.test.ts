import { type UIMessage } from 'ai';
import { gate, lastUserText, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { afterTool } from '../support/tool-calls.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { approvalOn, rolesOf, settle, stateIn, toolPart } from './page-state.ts';

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
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

  it('is reloaded while an approval waits, shows it once, and answers it', async () => {
    await using place = await chatPlace(afterTool(() => 'done'));
    const page = place.page();
    const sent = page.sendMessage({ text: 'make it' });
    const approval = await approvalOn(page);
    const again = await place.reload('chat1');
    const resumed = again.resumeStream();
    expect(await approvalOn(again)).toBe(approval);
    expect(rolesOf(again)).toEqual(['user', 'assistant']);
    await settle(place, approval, { approved: true });
    await Promise.all([sent, resumed]);
    for (const each of [page, again])
      expect([rolesOf(each), toolPart(each)?.state, textsOf(each.messages.at(-1) as UIMessage)]).toEqual([
        ['user', 'assistant'],
        'output-available',
        'done',
      ]);
  });

  it('finds nothing to resume when no turn runs', async () => {
    await using place = await chatPlace(['hello']);
    const page = place.page();
    await page.resumeStream();
    await page.sendMessage({ text: 'hi' });
    await page.resumeStream();
    expect([page.status, rolesOf(page)]).toEqual(['ready', ['user', 'assistant']]);
    expect((await place.call('/chat/chat1/stream')).status).toBe(204);
  });

  it('shows the answer of a turn that ends between its requests for the history and for the stream', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['first half, ', held, 'second half']));
    const first = place.page();
    const sent = first.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(first.messages.at(-1) as UIMessage)).toContain('first');
    const page = await place.reload('chat1');
    expect(rolesOf(page)).toEqual(['user']);
    held.open();
    await sent;
    // The list and the history say so as soon as the stream has.
    expect(await stateIn(place)).toEqual(['idle', 'idle', false]);
    await page.resumeStream();
    expect([page.status, page.messages.map(textsOf)]).toEqual(['ready', ['now', 'first half, second half']]);
    const later = await place.reload('chat1');
    await later.resumeStream();
    expect(later.messages.map(textsOf)).toEqual(['now', 'first half, second half']);
    expect((await place.call('/chat/chat1/stream')).status).toBe(204);
  });

  it('leaves a turn running when it goes away, and finds it when it comes back', async () => {
    const held = gate();
    await using place = await chatPlace(() => text(['first half, ', held, 'second half']));
    const page = place.page();
    const sent = page.sendMessage({ text: 'now' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('first');
    await page.stop();
    await sent;
    const [listed] = ((await (await place.call('/sessions')).json()) as { sessions: { state: string }[] }).sessions;
    expect(listed).toMatchObject({ id: 'chat1', state: 'running' });
    const again = await place.reload('chat1');
    const resumed = again.resumeStream();
    held.open();
    await resumed;
    expect(textsOf(again.messages.at(-1) as UIMessage)).toBe('first half, second half');
  });
});

import path from 'node:path';
import { type UIMessage } from 'ai';
import { createChat } from '@hexagent/chat';
import { gate, lastUserText, text, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { chatPlace, textsOf } from './chat-place.ts';
import { killAgentsOf, postTo, rolesOf, stateIn } from './page-state.ts';

/** Answers the first request by half and holds the rest, and each later one whole. */
function halfThenWhole(): () => TurnLike {
  let isFirst = true;
  return () => {
    const held = isFirst ? gate() : undefined;
    isFirst = false;
    return text(held === undefined ? ['whole'] : ['half ', held]);
  };
}

withCli('#24 #66 A chat page of the AI SDK, with the real CLI behind the handler,', () => {
  it('shows that the agent has exited, and continues when it is sent the same message again', async () => {
    await using place = await chatPlace(halfThenWhole());
    const page = place.page();
    const message = { id: 'same', role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] };
    const sent = page.sendMessage(message);
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    expect([page.status, page.error?.message]).toEqual(['error', expect.stringMatching(/agent has exited/)]);
    const again = await place.call('/chat', { body: { id: 'chat1', message } });
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('whole')]);
    expect(rolesOf(await place.reload('chat1')).filter((role) => role === 'user')).toHaveLength(1);
    expect(place.errors).toMatchObject([{ code: 'AGENT_EXITED' }]);
  });

  it('continues with what was cut off when a person restarts the chat, and shows until then that it is held', async () => {
    await using place = await chatPlace(halfThenWhole());
    const page = place.page();
    const sent = page.sendMessage({ text: 'hi' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    expect(await postTo(place, 'restart')).toEqual({ restarted: false });
    killAgentsOf(place);
    await sent;
    await expect.poll(() => stateIn(place)).toEqual(['held', 'held', false]);
    expect(await postTo(place, 'restart')).toEqual({ restarted: true });
    expect(await stateIn(place)).toEqual(['running', 'running', true]);
    const again = await place.reload('chat1');
    await again.resumeStream();
    expect(again.messages.map(textsOf)).toEqual(['hi', 'whole']);
    await expect.poll(() => stateIn(place)).toEqual(['idle', 'idle', false]);
    expect(await postTo(place, 'restart')).toEqual({ restarted: false });
  });

  it('gives up what was cut off when a person discards it', async () => {
    await using place = await chatPlace((request) =>
      lastUserText(request) === 'hi' ? text(['half ', gate()]) : `to ${lastUserText(request)}`,
    );
    const page = place.page();
    const sent = page.sendMessage({ text: 'hi' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    await expect.poll(() => stateIn(place)).toEqual(['held', 'held', false]);
    expect([await postTo(place, 'discard'), await postTo(place, 'discard')]).toEqual([
      { discarded: true },
      { discarded: false },
    ]);
    expect(await stateIn(place)).toEqual(['idle', 'idle', false]);
    expect(place.stage.loopback.requests).toHaveLength(1);
    const next = await place.reload('chat1');
    await next.sendMessage({ text: 'another' });
    expect(textsOf(next.messages.at(-1) as UIMessage)).toBe('to another');
  });

  it('reports why it takes no message after too many crashes, and can be restarted', async () => {
    const broken = { executable: '/nonexistent/claude' };
    let isBroken = true;
    await using place = await chatPlace(() => 'well again');
    const { options, home } = place.stage;
    const session = (): object => ({ ...options, ...(isBroken && broken) });
    await using chat = createChat({
      session,
      folder: path.join(home.root, 'crashing'),
      hosting: { crashes: { firstDelayMs: 1, maxCrashes: 2 } },
      onError: () => {},
    });
    const call = async (address: string, body?: object): Promise<Response> =>
      await chat.handle(
        new Request(`http://localhost/api${address}`, {
          ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        }),
      );
    const say = (id: string): Promise<Response> =>
      call('/chat', { id: 'chat1', message: { id, role: 'user', parts: [{ type: 'text', text: id }] } });
    const ended = await (await say('one')).text();
    expect(ended).toContain('AGENT_NOT_FOUND');
    expect(await (await call('/sessions')).json()).toMatchObject({ sessions: [{ state: 'crashed' }] });
    const refused = await say('two');
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: 'CHAT_CRASHED', remedy: expect.stringContaining('restart') } },
    ]);
    isBroken = false;
    expect(await (await call('/chat/chat1/restart', {})).json()).toEqual({ restarted: true });
    expect(await (await call('/chat/chat1/stream')).text()).toContain('well again');
    await expect
      .poll(async () => await (await call('/sessions')).json())
      .toMatchObject({ sessions: [{ state: 'idle' }] });
  });

  it('is answered when it sends another message after its agent has exited, and so is what was cut off', async () => {
    let count = 0;
    await using place = await chatPlace((request) => {
      count += 1;
      return count === 1 ? text(['half ', gate()]) : `to ${lastUserText(request)}`;
    });
    const page = place.page();
    const sent = page.sendMessage({ text: 'first' });
    await expect.poll(() => textsOf(page.messages.at(-1) as UIMessage)).toContain('half');
    killAgentsOf(place);
    await sent;
    const reloaded = await place.reload('chat1');
    await reloaded.sendMessage({ text: 'second' });
    expect([reloaded.status, textsOf(reloaded.messages.at(-1) as UIMessage)]).toEqual(['ready', 'to second']);
    const users = (await place.reload('chat1')).messages.filter(({ role }) => role === 'user');
    expect(users.map(textsOf)).toEqual(['first', 'second']);
  });
});

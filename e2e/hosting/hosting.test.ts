import {
  gate,
  lastUserText,
  reply,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { runHosts } from '../attack/hosted/run-hosts.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { agentsOf, follow, hostOf, killAgents, memoryStores } from './hosts.ts';

const outcomeOf = { state: 'completed', outcome: { kind: 'completed' } } as const;

withCli('A hosted session', () => {
  it('runs a message once, although it is handed over again', async () => {
    await using place = await stage(['a', 'b']);
    await using host = hostOf(place);
    await host.create('chat');
    const message = { content: 'once', uuid: crypto.randomUUID() };
    const [first, again] = await Promise.all([host.send('chat', message), host.send('chat', message)]);
    expect([first.kind, again.kind]).toEqual(['accepted', 'duplicate']);
    expect(await again.done).toEqual(await first.done);
    expect(await host.send('chat', message)).toMatchObject({ kind: 'duplicate', state: 'completed' });
    expect(place.loopback.requests).toHaveLength(1);
  });
});

/** Where the agent is when it is killed. */
const moments = {
  'before the first token': (held: ReturnType<typeof gate>) => reply([text('late')], { headersAfter: held }),
  'in the middle of a text': (held: ReturnType<typeof gate>) => reply([text(['the beginning', held, 'the end'])]),
  'while a tool runs': () => reply([toolUse('Bash', { command: 'tail -f /dev/null' })]),
} as const;

withCli('#16 A hosted session whose agent is killed', () => {
  it.each(Object.entries(moments))('continues %s with `continue`, and runs its messages once', async (_, first) => {
    const held = gate();
    let isKilled = false;
    await using place = await stage((request: ModelRequest): TurnLike => (isKilled ? answer(request) : first(held)));
    await using host = hostOf(place, { autoResume: 'continue', session: { permissions: { allow: ['Bash'] } } });
    await host.create('chat');
    const followed = follow(host, 'chat');
    const one = await host.send('chat', { content: 'one', uuid: crypto.randomUUID() });
    await followed.until((event) => event.kind === 'outbox' && event.state === 'started');
    await place.loopback.received(1);
    const two = await host.send('chat', 'two');
    isKilled = true;
    killAgents(place);
    expect(await one.done).toMatchObject(outcomeOf);
    expect(await two.done).toMatchObject(outcomeOf);
    expect((await storedTexts(place)).toSorted()).toEqual(['one', 'two']);
    expect(followed.events.filter(({ kind }) => kind === 'crashed')).toHaveLength(1);
  });

  it('shows the model the call that was cut off, with an outcome that is unknown', async () => {
    let isKilled = false;
    await using place = await stage((request: ModelRequest): TurnLike =>
      isKilled ? answer(request) : moments['while a tool runs'](),
    );
    await using host = hostOf(place, { autoResume: 'continue', session: { permissions: { allow: ['Bash'] } } });
    await host.create('chat');
    const followed = follow(host, 'chat');
    const one = await host.send('chat', 'one');
    await followed.until(
      (event) =>
        event.kind === 'message' &&
        event.message.type === 'assistant' &&
        JSON.stringify(event.message).includes('tail -f'),
    );
    // The call is in the transcript a moment after it was sent here.
    await expect.poll(() => storedTexts(place, 'tool_use'), { timeout: 10_000 }).not.toEqual([]);
    isKilled = true;
    killAgents(place);
    expect(await one.done).toMatchObject(outcomeOf);
    const shown = place.loopback.requests
      .flatMap((request) => toolResults(request))
      .map(({ text: shownText }) => shownText);
    expect(shown.at(-1)).toContain('outcome is unknown');
  });

  it('waits by default: the model is not called until the program continues', async () => {
    const held = gate();
    let isKilled = false;
    await using place = await stage((request: ModelRequest): TurnLike =>
      isKilled ? answer(request) : moments['in the middle of a text'](held),
    );
    await using host = hostOf(place);
    await host.create('chat');
    const followed = follow(host, 'chat');
    const one = await host.send('chat', 'one');
    await place.loopback.received(1);
    isKilled = true;
    killAgents(place);
    expect(await followed.until(({ kind }) => kind === 'crashed')).toMatchObject({ restartsInMs: undefined });
    expect(await host.get('chat')).toMatchObject({ isHeld: true, pending: 1, state: 'crashed' });
    expect(place.loopback.requests).toHaveLength(1);
    await host.restart('chat');
    expect(await one.done).toMatchObject(outcomeOf);
    expect(await storedTexts(place)).toEqual(['one']);
  });

  it('is interrupted by `drain()`, and what waited behind its turn continues in the next process', async () => {
    const held = gate();
    let isNext = false;
    await using place = await stage((request: ModelRequest): TurnLike =>
      isNext ? answer(request) : reply([text(['the beginning', held])]),
    );
    const stores = memoryStores();
    const first = hostOf(place, stores);
    await first.create('chat');
    const [one, two, three] = [
      await first.send('chat', 'one'),
      await first.send('chat', 'two'),
      await first.send('chat', 'three'),
    ];
    await place.loopback.received(1);
    await first.drain({ turns: 'interrupt' });
    expect(await one.done).toMatchObject({ outcome: { kind: 'interrupted' } });
    await expect(two.done).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    await expect(first.send('chat', 'more')).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    expect(agentsOf(place)).toEqual([]);
    isNext = true;
    await using second = hostOf(place, { ...stores, autoResume: 'continue' });
    expect(await second.recover()).toEqual(['chat']);
    const done = follow(second, 'chat');
    for (const { uuid } of [two, three])
      await done.until((event) => event.kind === 'outbox' && event.uuid === uuid && event.state === 'completed');
    expect((await storedTexts(place)).filter((stored) => /^(one|two|three)$/.test(stored))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});

withCli('#16 Sessions whose agents and whose process are killed at random moments', () => {
  it('run each message once, and leave neither a second agent nor a process', async () => {
    const load = { sessions: 3, messages: 2, hostDeaths: 1, agentDeaths: 2, withinMs: 100_000 };
    expect((await runHosts(11, undefined, load)).violations).toEqual([]);
  });
});

function answer(request: ModelRequest): TurnLike {
  return `answered ${lastUserText(request).slice(0, 20)}`;
}

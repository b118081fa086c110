import { createSdk, openSession, type AgentMessage, type ObservedEvent, type SessionOptions } from '@hexagent/sdk';
import { lastUserText } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';

/** The session ids that messages have. */
const idsIn = (messages: readonly AgentMessage[]): string[] => [
  ...new Set(
    messages.flatMap((message) => ('session_id' in message && message.session_id ? [message.session_id] : [])),
  ),
];

withCli('The id of a session', () => {
  it('is the one that every frame of the wire has, set when the first turn begins, and each event names the session', async () => {
    await using place = await stage(['One.', 'Two.', 'Three.']);
    const events: ObservedEvent[] = [];
    const sdk = createSdk({ observer: { observe: (event) => events.push(event) } });
    await using session = await sdk.openSession(place.options);
    expect(session.sessionId).toBeUndefined();
    const messages = await collect(session.send('one'));
    expect(idsIn(messages)).toEqual([session.sessionId]);
    const resumed = await sdk.openSession({ ...place.options, resume: session.sessionId });
    expect(idsIn(await collect(resumed.send('two')))).toEqual([session.sessionId]);
    expect(resumed.sessionId).toBe(session.sessionId);
    await resumed.close();
    await session.close();
    expect(session.id).not.toBe(resumed.id);
    expect(new Set(events.map(({ conversation }) => conversation))).toEqual(new Set([session.id, resumed.id]));
    const exits = events.flatMap((event) => (event.kind === 'exited' ? [event.conversation] : []));
    expect(exits).toEqual([resumed.id, session.id]);
  });

  it('follows the agent when `/clear` begins another', async () => {
    await using place = await stage(['One.', 'Two.']);
    await using session = await openSession(place.options);
    await session.send('one').result;
    const before = session.sessionId;
    await session.send('/clear').result;
    const messages = await collect(session.send('two'));
    expect(session.sessionId).not.toBe(before);
    expect(idsIn(messages)).toEqual([session.sessionId]);
  });
});

withCli('A session', () => {
  it('reports the cost of each turn, although the wire adds them up', async () => {
    await using place = await stage(['a', 'b']);
    await using session = await openSession(place.options);
    const [first, second] = [await session.send('1').result, await session.send('2').result];
    if (first.kind === 'cancelled' || second.kind === 'cancelled') throw new Error('Both turns should have a result.');
    expect(first.cost).toBeGreaterThan(0);
    expect(second.cost).toBeCloseTo(first.cost, 10);
    expect(second.result?.total_cost_usd).toBeCloseTo(first.cost + second.cost, 10);
  });

  it('#32 sends a first prompt of several hundred kilobytes whole', async () => {
    const long = 'prompt '.repeat(60_000);
    await using place = await stage(['Read.']);
    await using session = await openSession(place.options);
    expect(await session.send(long).result).toMatchObject({ kind: 'completed' });
    expect(lastUserText(place.loopback.requests[0]!)).toContain(long.trim());
  });

  it('#51 starts although the program runs inside an agent itself', async () => {
    await using place = await stage(['fine']);
    const set = { ...place.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
    const options: SessionOptions = { ...place.options, env: { policy: 'exact', set } };
    await using session = await openSession(options);
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });
});

import {
  allow,
  createSdk,
  openSession,
  type AgentMessage,
  type AskHandler,
  type Session,
  type SessionOptions,
  type Turn,
} from '@hexagent/sdk';
import type { Frame } from '@hexagent/ports';
import { gate, text, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';
import { afterTool } from '../support/tool-calls.ts';
import { untilItStreams } from '../support/until-it-streams.ts';

const kinds = (messages: readonly AgentMessage[]): string[] =>
  messages.map((message) => ('subtype' in message ? `${message.type}/${message.subtype}` : message.type));

const answersSoFar = (request: ModelRequest): number =>
  request.body.messages.filter(({ role }) => role === 'assistant').length;

/** The approver sends `content` before it allows the tool, so the message is queued while the tool runs. */
function sendingMeanwhile(content: string): {
  readonly open: (options: SessionOptions) => Promise<Session>;
  readonly sent: Promise<Turn>;
} {
  const opened = Promise.withResolvers<Session>();
  const sent = Promise.withResolvers<Turn>();
  const onAsk: AskHandler = async () => {
    sent.resolve((await opened.promise).send(content));
    return allow();
  };
  const open = async (options: SessionOptions): Promise<Session> => {
    const session = await openSession({ ...options, onAsk });
    opened.resolve(session);
    return session;
  };
  return { open, sent: sent.promise };
}

withCli('Messages sent while a turn runs', () => {
  it('share one result when the agent merges them; the messages belong to the first', async () => {
    const held = gate();
    await using place = await stage((request) => (answersSoFar(request) === 0 ? text(['first', held]) : 'both'));
    const received: Frame[] = [];
    const sdk = createSdk({
      observer: { observe: (event) => event.kind === 'received' && received.push(event.frame) },
    });
    await using session = await sdk.openSession({ ...place.options, partialMessages: true });
    const first = session.send('a');
    for await (const message of first) if (message.type === 'stream_event') break;
    const [second, third] = [session.send('b'), session.send('c')];
    // Before the turn ends: an agent that reads one of them later does not merge it.
    const queued = [second, third].map(({ id }) => expect.objectContaining({ command_uuid: id, state: 'queued' }));
    await expect.poll(() => received).toEqual(expect.arrayContaining(queued));
    held.open();
    expect(await third.result).toBe(await second.result);
    expect(kinds(await collect(second))).toContain('result/success');
    expect(await collect(third)).toEqual([]);
    await session.idle();
  });

  it('with a uuid that was sent before are refused, since the agent drops them silently', async () => {
    await using place = await stage(['a']);
    await using session = await openSession(place.options);
    const uuid = crypto.randomUUID();
    await session.send({ content: 'a', uuid }).result;
    expect(() => session.send({ content: 'b', uuid })).toThrow(expect.objectContaining({ code: 'MESSAGE_REPEATED' }));
  });
});

withCli('#9 A message sent while a tool runs', () => {
  it('is merged into the running turn, and both turns have one result', async () => {
    await using place = await stage(afterTool(() => 'both done'));
    const { open, sent } = sendingMeanwhile('also this');
    await using session = await open(place.options);
    const running = session.send('go');
    const merged = await sent;
    const outcome = await merged.result;
    expect(outcome).toMatchObject({ kind: 'completed', text: 'both done' });
    expect(await running.result).toBe(outcome);
    expect(JSON.stringify(place.loopback.requests[1]?.body.messages)).toContain('also this');
    await session.idle();
  });

  it('is interrupted with the turn that it was merged into', async () => {
    const held = gate();
    await using place = await stage(afterTool(() => text(['partial ', held])));
    const { open, sent } = sendingMeanwhile('also this');
    await using session = await open({ ...place.options, partialMessages: true });
    const running = session.send('go');
    const merged = await sent;
    await untilItStreams(running);
    expect(await merged.interrupt()).toBe('interrupted');
    expect(await merged.result).toMatchObject({ kind: 'interrupted', text: 'partial ', cost: session.ledger.cost });
    expect(session.ledger.cost).toBeGreaterThan(0);
    expect(await running.result).toBe(await merged.result);
  });
});

withCli('A message that asks nothing of the model', () => {
  it('has an empty result of its own at once, and the next request to the model contains it', async () => {
    await using place = await stage((request) => JSON.stringify(request.body.messages));
    await using session = await openSession(place.options);
    const silent = session.send({ content: 'so you know', fields: { shouldQuery: false } });
    expect(await silent.result).toMatchObject({ kind: 'completed', text: '', cost: 0 });
    expect(await session.send('and?').result).toMatchObject({ text: expect.stringContaining('so you know') });
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('is also one that a hook blocks, with the reason as its text', async () => {
    await using place = await stage(['fine']);
    const hooks = { UserPromptSubmit: [{ hooks: [() => ({ decision: 'block', reason: 'not that' }) as const] }] };
    await using session = await openSession({ ...place.options, hooks });
    expect(await session.send('bad').result).toMatchObject({ text: expect.stringContaining('not that'), cost: 0 });
    expect(place.loopback.requests).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentMessage, Conversation, ObservedEvent, SessionFeature } from '@hexagent/ports';
import { answering, HandClock, microtasks, type LinkedAgent } from '@hexagent/testing';
import { answer, begin, brief, collect, converse, init, lifecycle, result, assistantText } from './support.ts';

const kilobyte = 'x'.repeat(1000);
const marks = { softMarkBytes: 2000, hardMarkBytes: 20_000 };
const allowAll: SessionFeature = answering({ can_use_tool: async () => ({ behavior: 'allow' }) });

interface Streaming {
  readonly conversation: Conversation;
  readonly agent: LinkedAgent;
  readonly clock: HandClock;
  readonly messages: AsyncIterator<AgentMessage>;
  readonly events: readonly ObservedEvent['kind'][];
}

/** A turn that runs, of which the first message was read. */
async function streaming(options: { readonly features?: readonly SessionFeature[] } = {}): Promise<Streaming> {
  const clock = new HandClock();
  const events: ObservedEvent['kind'][] = [];
  const observer = { observe: ({ kind }: ObservedEvent) => void events.push(kind) };
  const { conversation, agent } = await converse({ ...marks, ...options }, { clock, observer });
  const turn = conversation.send('a');
  agent.write(lifecycle(turn.id, 'started'), init(turn.id));
  const messages = turn[Symbol.asyncIterator]();
  await messages.next();
  return { conversation, agent, clock, messages, events };
}

/** Writes until nothing more is read; returns how much was. */
async function flood(agent: LinkedAgent): Promise<number> {
  let count = 0;
  for (; !agent.paused && count < 1000; count += 1) {
    agent.write(assistantText(`${count} ${kilobyte}`));
    await microtasks();
  }
  return count;
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: { code?: string }) => error.code ?? error,
  );

describe('A request of ours that is open while nothing is read', () => {
  it('fails after ten seconds in which nothing was read, since the reader itself may be awaiting it', async () => {
    const { conversation, agent, clock, messages } = await streaming();
    let isOpen = true;
    const asking = conversation.control('mcp_status').finally(() => (isOpen = false));
    asking.catch(() => {});
    const count = await flood(agent);
    clock.advance(9999);
    await microtasks();
    expect(isOpen).toBe(true);
    clock.advance(1);
    await expect(asking).rejects.toMatchObject({
      code: 'REQUEST_STALLED',
      message: expect.stringMatching(/behind \d+ bytes of messages.*10000 ms/u),
      remedy: expect.stringContaining('hardMarkBytes'),
    });
    expect(await agent.next('control_cancel_request')).toBeDefined();
    // Nothing is lost, and the late answer is dropped.
    answer(agent, await agent.next('mcp_status'), { late: true });
    agent.write(result());
    const seen = (await collect({ [Symbol.asyncIterator]: () => messages })).map(brief);
    expect(seen).toEqual([...Array.from({ length: count }, (_, n) => `${n} ${kilobyte}`), 'result/success']);
  });

  it('fails as well when it is made in a stall, and leaves no timer', async () => {
    const { conversation, agent, clock } = await streaming({ features: [allowAll] });
    await flood(agent);
    expect(clock.waiting).toBe(0);
    const asked = codeOf(conversation.control('mcp_status'));
    expect(clock.waiting).toBe(1);
    clock.advance(10_000);
    expect([await asked, clock.waiting]).toEqual(['REQUEST_STALLED', 0]);
  });

  it('waits for a reader that is slow, however slow', async () => {
    const { conversation, agent, clock, messages } = await streaming();
    const asking = conversation.control('mcp_status');
    const request = await agent.next('mcp_status');
    await flood(agent);
    answer(agent, request, { servers: 1 });
    for (let count = 0; count < 12; count += 1) {
      clock.advance(9000);
      await microtasks();
      await messages.next();
    }
    expect(await asking).toEqual({ servers: 1 });
    expect(clock.waiting).toBe(0);
  });

  it('does not fail while the conversation closes', async () => {
    const { conversation, agent, clock } = await streaming();
    const asked = codeOf(conversation.control('mcp_status'));
    await flood(agent);
    const closing = conversation.close();
    clock.advance(10_000);
    agent.exit({ code: 0 });
    await closing;
    expect(await asked).toBe('CHANNEL_CLOSED');
  });

  it('that has a deadline of its own keeps it', async () => {
    const { conversation, agent, clock } = await streaming();
    const asked = codeOf(conversation.control('mcp_status', {}, { timeoutMs: 5000 }));
    await flood(agent);
    clock.advance(5000);
    expect(await asked).toBe('REQUEST_TIMEOUT');
    await microtasks();
    expect(clock.waiting).toBe(0);
  });
});

describe('`initialize`', () => {
  it('does not fail in a stall, since it has a deadline of its own', async () => {
    const clock = new HandClock();
    const { conversation, agent } = await begin({ ...marks, initializeTimeoutMs: 60_000 }, { clock });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    await flood(agent);
    clock.advance(59_999);
    answer(agent, await agent.next('initialize'), { commands: [] });
    const reading = collect(turn);
    expect(await conversation.ready).toEqual({ commands: [] });
    agent.write(result());
    await reading;
  });
});

describe('A message that waits for a slow reader', () => {
  it('is the object that was parsed, as long as little is unread', async () => {
    const events: ObservedEvent[] = [];
    const observer = { observe: (event: ObservedEvent) => void events.push(event) };
    const { conversation, agent } = await converse({}, { observer });
    const messages = conversation.allMessages();
    const next = messages.next();
    agent.write(assistantText('one'), assistantText('two'));
    const seen = [(await next).value, (await messages.next()).value];
    const received = events.flatMap((event) => (event.kind === 'received' ? event.frame : []));
    expect(received).toContain(seen[0]);
    expect(received).toContain(seen[1]);
    agent.exit({ code: 0 });
  });
});

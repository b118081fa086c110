import { SpanStatusCode } from '@opentelemetry/api';
import type { Conversation } from '@hexagent/ports';
import {
  agentFrames,
  gate,
  linkedTransport,
  reply,
  seededRandom,
  type AgentScript,
  type LinkedAgent,
} from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { open, paths, recorded, spanNamed, type Recorded } from './support.ts';

const busy = (): AgentScript => ({ turns: [[reply.tool('Bash', { command: 'sleep 9' }, { until: gate() }), 'Done.']] });

/** How each span ended, by its name. */
const errorsOf = ({ spans }: Recorded): Readonly<Record<string, unknown>> =>
  Object.fromEntries(spans.ended.map(({ name, attributes }) => [name.split(' ')[0], attributes['error.type']]));

async function untilToolRuns(conversation: Conversation): Promise<void> {
  for await (const event of conversation.events({ mayMiss: true }))
    if (event.kind === 'message' && event.message.type === 'assistant') return;
}

interface Case {
  readonly name: string;
  readonly script: AgentScript;
  readonly end: (conversation: Conversation, agent: LinkedAgent) => unknown;
  readonly errors: object;
  readonly outcome: string;
}

const cases: readonly Case[] = [
  {
    name: 'completed',
    script: { turns: ['Done.'] },
    end: () => {},
    outcome: 'completed',
    errors: { invoke_agent: undefined, chat: undefined },
  },
  {
    name: 'failed',
    script: { turns: [reply.result({ subtype: 'error_max_turns', is_error: true, errors: ['Too many.'] })] },
    end: () => {},
    outcome: 'failed',
    errors: { invoke_agent: 'limit' },
  },
  {
    name: 'interrupted during a call',
    script: busy(),
    end: (conversation) => conversation.interrupt(),
    outcome: 'interrupted',
    // The agent reports the call as failed before it ends the turn. The request to the model had its answer.
    errors: { invoke_agent: 'interrupted', chat: undefined, execute_tool: 'tool_error' },
  },
  {
    name: 'cut by close()',
    script: busy(),
    end: (conversation) => conversation.close(),
    outcome: 'interrupted',
    errors: { invoke_agent: 'interrupted', chat: undefined, execute_tool: 'tool_error' },
  },
  {
    name: 'cut by suspend()',
    script: busy(),
    end: (conversation) => conversation.suspend(),
    outcome: 'cut',
    errors: { invoke_agent: 'SESSION_SUSPENDED', chat: undefined, execute_tool: 'SESSION_SUSPENDED' },
  },
  {
    name: 'cut by the death of its agent',
    script: { turns: [[reply.tool('Bash', {}), reply.exit({ code: 1 })]] },
    end: () => {},
    outcome: 'cut',
    errors: { invoke_agent: 'AGENT_EXITED', chat: undefined, execute_tool: undefined },
  },
];

describe('A turn that is', () => {
  it.each(cases)('$name ends its spans with a true status', async ({ script, end, outcome, errors }) => {
    const seen = recorded();
    const { conversation } = await open(script, seen);
    const running = untilToolRuns(conversation);
    const { result } = conversation.send('hi');
    await Promise.race([running, result.catch(() => {})]);
    await end(conversation, linkedTransport().agent);
    await result.catch(() => {});
    await conversation.close();
    expect(seen.spans.open.size).toBe(0);
    expect(errorsOf(seen)).toEqual(errors);
    for (const { attributes, status } of seen.spans.ended)
      expect(status.code).toBe(attributes['error.type'] === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
    expect(spanNamed(seen.spans.ended, 'invoke_agent claude-code').attributes).toMatchObject({
      'hexagent.turn.outcome': outcome,
    });
  });

  it('cancelled in the queue was an agent that never ran', async () => {
    const seen = recorded();
    const { transport, agent } = linkedTransport();
    const { conversation } = await open({}, seen, { transport });
    agent.write(agentFrames.response(await agent.next('initialize')));
    const [first, second] = [conversation.send('1'), conversation.send('2')];
    agent.write(
      ...agentFrames.wholeTurn(first.id, 'one').slice(0, 5),
      agentFrames.lifecycle(second.id, 'queued'),
      agentFrames.lifecycle(second.id, 'cancelled'),
    );
    expect(await second.result).toMatchObject({ kind: 'cancelled' });
    agent.exit();
    await conversation.exited;
    expect(seen.spans.open.size).toBe(0);
    const outcomes = seen.spans.ended.map(({ attributes }) => attributes['hexagent.turn.outcome']);
    expect(outcomes.toSorted()).toEqual(['cancelled', 'cut', undefined]);
  });

  it('refused before it was sent has the reason, and nothing stays open', async () => {
    const seen = recorded();
    const features = [
      { name: 'budget', refuse: () => ({ kind: 'failed', cause: 'budget', message: 'Spent.' }) as const },
    ];
    const { conversation } = await open({ turns: ['hi'] }, seen, { features });
    expect(await conversation.send('hi').result).toMatchObject({ kind: 'failed', cause: 'budget' });
    expect(seen.spans.open.size).toBe(0);
    expect(errorsOf(seen)).toEqual({ invoke_agent: 'budget' });
    await conversation.close();
  });

  it('folded into another says so, and what was spent is counted once', async () => {
    const seen = recorded();
    const { transport, agent } = linkedTransport();
    const { conversation } = await open({}, seen, { transport });
    agent.write(agentFrames.response(await agent.next('initialize')));
    const [first, second] = [conversation.send('1'), conversation.send('2')];
    const used = {
      inputTokens: 7,
      outputTokens: 3,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      costUSD: 0.5,
    };
    const modelUsage = { test: used };
    agent.write(
      agentFrames.lifecycle(first.id, 'started'),
      agentFrames.init(first.id),
      agentFrames.lifecycle(second.id, 'started'),
      agentFrames.assistantText('both'),
      agentFrames.result({ user_message_uuids: [first.id, second.id], total_cost_usd: 0.5, modelUsage }),
    );
    await Promise.all([first.result, second.result]);
    agent.exit();
    await conversation.exited;
    const turns = seen.spans.ended.filter(({ name }) => name.startsWith('invoke_agent'));
    expect(turns.map(({ attributes }) => attributes['hexagent.cost.usd']).toSorted()).toEqual([0.5, undefined]);
    const folded = turns.find(({ attributes }) => attributes['hexagent.turn.within'] === true);
    expect(folded?.links.map((link) => link.context.spanId)).toEqual([
      turns.find((turn) => turn !== folded)?.spanContext().spanId,
    ]);
    const { 'hexagent.cost': cost, 'hexagent.tokens': tokens } = await seen.metrics();
    expect(cost?.map(({ value }) => value)).toEqual([0.5]);
    expect(tokens?.map(({ value }) => value)).toEqual([7, 3]);
  });
});

describe('An agent that cannot be started', () => {
  it('leaves one span, with the code of the error', async () => {
    const seen = recorded();
    const transport = { connect: () => Promise.reject(new RangeError('made up')) };
    await expect(open({}, seen, { transport })).rejects.toThrow('made up');
    expect(paths(seen.spans.ended)).toEqual(['invoke_agent claude-code']);
    expect(seen.spans.ended[0]).toMatchObject({ status: { code: SpanStatusCode.ERROR } });
    expect(seen.spans.open.size).toBe(0);
  });
});

describe('The end of the process', () => {
  it('ends what is open', async () => {
    const seen = recorded();
    const before = process.listenerCount('exit');
    const { conversation } = await open(busy(), seen);
    const running = untilToolRuns(conversation);
    conversation.send('hi').result.catch(() => {});
    await running;
    expect(process.listenerCount('exit')).toBe(before + 1);
    process.listeners('exit').at(-1)?.(0);
    expect(seen.spans.open.size).toBe(0);
    expect(errorsOf(seen)).toEqual({ invoke_agent: 'process_exited', chat: undefined, execute_tool: 'process_exited' });
    await conversation.close();
    expect(process.listenerCount('exit')).toBe(before);
  });
});

/** Frames in any order, of which many make no sense where they come. */
function anyFrame(below: (limit: number) => number, turns: readonly string[]): object {
  const turn = turns[below(turns.length)] ?? 'none';
  const call = `call-${below(4)}`;
  const parent = below(3) === 0 ? `call-${below(4)}` : null;
  const model = { role: 'assistant', model: 'test', stop_reason: null, usage: {} };
  const tool = { type: 'tool_use', id: call, name: 'Task', input: { subagent_type: 'helper' } };
  const event = ['message_start', 'message_delta', 'message_stop', 'content_block_delta'][below(4)];
  const session = { uuid: 'u', session_id: 's' };
  const frames = [
    () => agentFrames.lifecycle(turn, ['queued', 'started', 'completed', 'cancelled'][below(4)] ?? 'queued'),
    () => agentFrames.init(turn),
    () => ({
      type: 'assistant',
      message: { ...model, id: `m-${below(3)}`, content: [tool] },
      parent_tool_use_id: parent,
      ...session,
    }),
    () => ({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, is_error: below(2) === 0 }] },
      parent_tool_use_id: parent,
      ...session,
    }),
    () => ({
      type: 'stream_event',
      event: { type: event, message: { ...model, id: `m-${below(3)}` } },
      parent_tool_use_id: parent,
      ...session,
    }),
    () => ({
      type: 'system',
      subtype: 'task_started',
      task_type: 'local_agent',
      task_id: 't',
      tool_use_id: call,
      is_backgrounded: below(2) === 0,
      ...session,
    }),
    () => ({
      type: 'system',
      subtype: 'task_notification',
      task_id: 't',
      tool_use_id: call,
      status: 'completed',
      ...session,
    }),
    () => ({
      type: 'control_request',
      request_id: `r-${below(5)}`,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: call },
    }),
    () => ({ type: 'control_cancel_request', request_id: `r-${below(5)}` }),
    () => agentFrames.result({ user_message_uuids: below(2) === 0 ? [turn] : [...turns] }),
    () => agentFrames.interrupted(turn),
    () => ({ type: 'assistant', message: null, parent_tool_use_id: below(9), ...session }),
    () => ({ type: 'user', message: { content: [null, { type: 'tool_result' }] }, ...session }),
  ];
  return frames[below(frames.length)]?.() ?? {};
}

describe('Whatever an agent sends, and however it ends,', () => {
  it.each(Array.from({ length: 100 }, (_, seed) => seed))('no span stays open: seed %i', async (seed) => {
    const next = seededRandom(seed);
    const below = (limit: number): number => Math.floor(next() * limit);
    const seen = recorded();
    const { transport, agent } = linkedTransport();
    const features = [{ name: 'asking', handlers: { can_use_tool: () => new Promise<never>(() => {}) } }];
    const { conversation } = await open({}, seen, { transport, features });
    agent.write(agentFrames.response(await agent.next('initialize')));
    const turns = Array.from({ length: 1 + below(3) }, (_, index) => conversation.send(`${index}`));
    for (const turn of turns) turn.result.catch(() => {});
    const ids = turns.map(({ id }) => id);
    for (let count = below(60); count > 0; count -= 1) agent.write(anyFrame(below, ids));
    const ends = [
      () => agent.exit({ code: 1 }),
      () => agent.exit(),
      () => agent.breakOff(new Error('made up')),
      () => void conversation.close(),
      () => void conversation.suspend(),
    ];
    ends[below(ends.length)]?.();
    await new Promise(setImmediate);
    agent.exit();
    await conversation.exited;
    expect([...seen.spans.open].map((span) => JSON.stringify(span.spanContext()))).toEqual([]);
    expect(seen.spans.ended.filter(({ name }) => name === 'invoke_agent claude-code').length).toBeGreaterThanOrEqual(
      turns.length,
    );
    const { 'hexagent.approvals.waiting': waiting = [], 'hexagent.agents.live': live = [] } = await seen.metrics();
    expect([...waiting, ...live].every(({ value }) => value === 0)).toBe(true);
  });
});

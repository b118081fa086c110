import { assert } from './assert.ts';
import { AbortError, type HostContext, type PermissionAnswer } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import type { LinkedAgent } from '../doubles/linked-agent.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { ask, answersTo, open, type Opened, type ProtocolFixture, type ProtocolPromises } from './protocol-fixture.ts';

const permission = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } };
const call = { subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', id: 'a:1', method: 'tools/call' } };

/** How the program's callbacks are called. */
export const callbacks: ProtocolPromises = {
  'passes the request of the agent with its own field names, and its id': async (fixture) => {
    const seen: unknown[] = [];
    const { agent, channel } = await open(fixture, {
      host: {
        can_use_tool: async (request, { requestId }) => {
          seen.push(request, requestId);
          return { behavior: 'allow' };
        },
        mcp_message: async ({ server_name: server, message }) => {
          seen.push(server, message);
          return { jsonrpc: '2.0', id: message.id, result: {} };
        },
      },
    });
    await ask(agent, { ...permission, new_field: 1 }, 'p1');
    await ask(agent, call, 'm1');
    assert.deepEqual(seen, [{ ...permission, new_field: 1 }, 'p1', 's', call.message]);
    await channel.close();
  },

  'calls each callback at once, and writes the answers in the order in which they settle': async (fixture) => {
    const { agent, asked, channel } = await openAsked(fixture, ['a', 'b', 'c']);
    assert.equal(channel.openAnswers, 3);
    for (const id of ['c', 'a', 'b']) asked.get(id)?.answer.resolve({ behavior: 'deny', message: id });
    await microtasks();
    assert.deepEqual(
      agent.received.slice(1).map(({ response }) => response?.request_id),
      ['c', 'a', 'b'],
    );
    assert.equal(channel.openAnswers, 0);
    await channel.close();
  },

  'answers a request once that the agent sends twice while it is open': async (fixture) => {
    const { agent, asked, channel } = await openAsked(fixture, ['a']);
    const first = asked.get('a');
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    await microtasks();
    assert.equal(asked.get('a'), first);
    first?.answer.resolve({ behavior: 'allow' });
    assert.equal(await answersTo(agent, 'a'), 1);
    await channel.close();
  },

  '#57 aborts the signal when the agent withdraws, and drops the late answer': async (fixture) => {
    const { agent, asked, channel, observed } = await openAsked(fixture, ['a', 'b']);
    agent.write({ type: 'control_cancel_request', request_id: 'a' });
    await microtasks();
    assert.ok(asked.get('a')?.context.signal.reason instanceof AbortError);
    assert.equal(asked.get('b')?.context.signal.aborted, false);
    assert.equal(channel.openAnswers, 1);
    asked.get('a')?.answer.resolve({ behavior: 'allow' });
    assert.equal(await answersTo(agent, 'a'), 0);
    assert.deepEqual(
      observed.filter(({ kind }) => kind === 'callback_failed'),
      [],
    );
    await channel.close();
  },

  '#57 has an aborted signal for a callback that reads it only later': async (fixture) => {
    const contexts: HostContext[] = [];
    const waiting = new Deferred<null>();
    const { agent, channel } = await open(fixture, {
      host: {
        can_use_tool: (_, context) => {
          contexts.push(context);
          return waiting.promise;
        },
      },
    });
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    agent.write({ type: 'control_cancel_request', request_id: 'a' });
    await microtasks();
    assert.equal(contexts[0]?.signal.aborted, true);
    await channel.close();
  },

  '#57 calls a listener of a withdrawn call without its signal, where it can': async (fixture) => {
    const { agent, asked, channel } = await openAsked(fixture, ['a', 'b']);
    const reasons: unknown[] = [];
    const follow = (id: string): (() => void) | undefined =>
      asked.get(id)?.context.onAbort?.((reason) => reasons.push(reason));
    follow('a');
    follow('b')?.();
    agent.write({ type: 'control_cancel_request', request_id: 'a' });
    agent.write({ type: 'control_cancel_request', request_id: 'b' });
    await microtasks();
    follow('a');
    const isProvided = asked.get('a')?.context.onAbort !== undefined;
    assert.deepEqual(
      reasons.map((reason) => reason instanceof AbortError),
      isProvided ? [true, true] : [],
    );
    await channel.close();
  },

  '#57 ends an MCP call that the agent cancels, though its server never answers it': async (fixture) => {
    const { agent, asked, channel } = await openAsked(fixture, ['a'], call);
    await openAnother(agent);
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a:1' } };
    agent.write({ type: 'control_request', request_id: 'n', request: { ...call, message } });
    await microtasks();
    assert.equal(asked.get('a')?.context.signal.aborted, true);
    assert.equal(asked.get('other')?.context.signal.aborted, false);
    assert.equal(channel.openAnswers, 1);
    assert.deepEqual([await answersTo(agent, 'a'), await answersTo(agent, 'n')], [1, 1]);
    await channel.close();
  },

  '#28 has no deadline for a permission': async (fixture) => {
    const { agent, asked, channel, clock } = await openAsked(fixture, ['a']);
    clock.pass(7 * 24 * 3_600_000);
    await microtasks();
    assert.equal(asked.get('a')?.context.signal.aborted, false);
    asked.get('a')?.answer.resolve({ behavior: 'allow' });
    assert.equal(await answersTo(agent, 'a'), 1);
    await channel.close();
  },

  'warns once of a callback that failed, with its error': async (fixture) => {
    const error = new Error('Refused by the test.');
    const { agent, channel, observed } = await open(fixture, {
      host: { can_use_tool: async () => Promise.reject(error) },
    });
    await ask(agent, permission);
    assert.deepEqual(
      observed.filter(({ kind }) => kind === 'callback_failed'),
      [{ kind: 'callback_failed', subtype: 'can_use_tool', error, conversation: 'contract' }],
    );
    await channel.close();
  },

  'does not warn of a callback for a request that lacks fields': async (fixture) => {
    const { agent, channel, observed } = await open(fixture, { host: { can_use_tool: async () => null } });
    await ask(agent, { subtype: 'can_use_tool' });
    assert.deepEqual(
      observed.filter(({ kind }) => kind === 'callback_failed'),
      [],
    );
    await channel.close();
  },

  'reports every change of the open calls, an answered one once its answer is written': async (fixture) => {
    const seen: string[] = [];
    const opened = await open(fixture, {
      host: {
        can_use_tool: async () => ({ behavior: 'allow' }),
        activity: () => seen.push(`${opened.channel.openAnswers} open, ${opened.agent.lines.length} written`),
      },
    });
    seen.length = 0;
    await ask(opened.agent, permission);
    await microtasks();
    assert.deepEqual(seen, ['1 open, 1 written', '0 open, 2 written']);
    await opened.channel.close();
  },
};

interface Asked {
  readonly context: HostContext;
  readonly answer: Deferred<PermissionAnswer | null>;
}

/** The same call of another server, which is not cancelled. */
async function openAnother(agent: LinkedAgent): Promise<void> {
  agent.write({ type: 'control_request', request_id: 'other', request: { ...call, server_name: 'other' } });
  await microtasks();
}

/** Sends a request of the agent that stays unanswered. */
async function openAsked(
  fixture: ProtocolFixture,
  ids: readonly string[],
  request: object = permission,
): Promise<Opened & { readonly asked: ReadonlyMap<string, Asked> }> {
  const asked = new Map<string, Asked>();
  const wait = (context: HostContext): Promise<PermissionAnswer | null> => {
    const answer = new Deferred<PermissionAnswer | null>();
    asked.set(context.requestId, { context, answer });
    return answer.promise;
  };
  const opened = await open(fixture, {
    host: {
      can_use_tool: (_, context) => wait(context),
      mcp_message: async ({ message }, context) => {
        if (message.id === undefined) return undefined;
        await wait(context);
        return { jsonrpc: '2.0', id: message.id, result: {} };
      },
    },
  });
  for (const id of ids) opened.agent.write({ type: 'control_request', request_id: id, request });
  await microtasks();
  return { ...opened, asked };
}

import { assert } from './assert.ts';
import { AbortError, SdkError } from '@hexagent/ports';
import { microtasks } from '../doubles/microtasks.ts';
import { answer, open, outcomeOf, type ProtocolPromises } from './protocol-fixture.ts';
import { hasCode } from './has-code.ts';

const uuid = '00000000-0000-4000-8000-000000000001';

/** Messages and requests of the program. */
export const requests: ProtocolPromises = {
  'writes a message with its uuid and priority and its unchanged content': async (fixture) => {
    const { agent, channel } = await open(fixture);
    await channel.send({ content: 'Hello\nworld', uuid, priority: 'now' });
    const { type, message, uuid: sent, priority, ...rest } = await agent.next('user');
    assert.deepEqual(message, { role: 'user', content: 'Hello\nworld' });
    assert.deepEqual(
      { type, sent, priority, rest },
      { type: 'user', sent: uuid, priority: 'now', rest: { parent_tool_use_id: null, session_id: '' } },
    );
    await channel.close();
  },

  'writes messages and requests in the order of the calls': async (fixture) => {
    const { agent, channel } = await open(fixture);
    void channel.send({ content: 'One', uuid });
    void outcomeOf(channel.request('interrupt'));
    void channel.send({ content: 'Two', uuid: `${uuid}2` });
    await microtasks();
    assert.deepEqual(
      agent.received.slice(1).map(({ type, request }) => request?.subtype ?? type),
      ['user', 'interrupt', 'user'],
    );
    await channel.close();
  },

  '#32 writes a message of a megabyte as one line behind others': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const text = 'Grüße\n'.repeat(160_000);
    await Promise.all([channel.send({ content: 'Small', uuid }), channel.send({ content: text, uuid: `${uuid}2` })]);
    assert.equal(agent.received.at(-1)?.message?.content, text);
    assert.equal(agent.lines.length, 3);
    await channel.close();
  },

  'refuses content that JSON cannot hold, and stays open': async (fixture) => {
    const { agent, channel } = await open(fixture);
    await assert.rejects(channel.send({ content: JSON.parse('5'), uuid }), hasCode('FRAME_INVALID'));
    await assert.rejects(channel.requestUntyped('set_model', { model: 1n }), hasCode('FRAME_INVALID'));
    assert.equal(channel.openRequests, 0);
    await channel.send({ content: 'Hello', uuid });
    assert.equal(agent.lines.length, 2);
    await channel.close();
  },

  'resolves a request with the payload of its answer, an empty one included': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const asking = channel.request('set_model', { model: 'm' });
    const request = await agent.next('set_model');
    assert.deepEqual(request.request, { subtype: 'set_model', model: 'm' });
    answer(agent, request, { model: 'm' });
    assert.deepEqual(await asking, { model: 'm' });
    const empty = channel.request('interrupt');
    agent.write({
      type: 'control_response',
      response: { subtype: 'success', request_id: (await agent.next('interrupt')).request_id },
    });
    assert.deepEqual(await empty, {});
    await channel.close();
  },

  '#41 matches 100 requests with answers that come in the opposite order': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const asking = Array.from({ length: 100 }, (_, n) => channel.requestUntyped('echo', { n }));
    await microtasks();
    assert.equal(channel.openRequests, 100);
    const requests = agent.received.filter(({ request }) => request?.subtype === 'echo');
    assert.equal(new Set(requests.map((frame) => frame.request_id)).size, 100);
    for (const frame of requests.toReversed()) answer(agent, frame, { n: frame.request?.['n'] });
    assert.deepEqual(
      await Promise.all(asking),
      Array.from({ length: 100 }, (_, n) => ({ n })),
    );
    assert.equal(channel.openRequests, 0);
    await channel.close();
  },

  'rejects with the message of an agent that refuses': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const asking = outcomeOf(channel.requestUntyped('set_permission_mode', { mode: 'ask' }));
    const { request_id } = await agent.next('set_permission_mode');
    agent.write({
      type: 'control_response',
      response: { subtype: 'error', request_id, error: 'Bad mode', error_code: 'invalid_mode' },
    });
    const error = await asking;
    assert.ok(hasCode('REQUEST_FAILED')(error));
    assert.match(String(error), /set_permission_mode.*Bad mode/u);
    await channel.close();
  },

  '#28 waits for an answer as long as the agent runs, unless `timeoutMs` is given': async (fixture) => {
    const { agent, channel, clock } = await open(fixture);
    const patient = channel.requestUntyped('side_question');
    const hurried = outcomeOf(channel.request('mcp_status', {}, { timeoutMs: 1000 }));
    clock.pass(24 * 3_600_000);
    assert.ok(hasCode('REQUEST_TIMEOUT')(await hurried));
    answer(agent, await agent.next('side_question'), { late: true });
    assert.deepEqual(await patient, { late: true });
    assert.equal(clock.waiting, 0);
    await channel.close();
  },

  'refuses a timeoutMs that is not a delay, and writes nothing': async (fixture) => {
    const { agent, channel } = await open(fixture);
    for (const wrong of [NaN, -1, '5', null]) {
      // A program in JavaScript may pass anything.
      const asking = channel.request('mcp_status', {}, { timeoutMs: wrong as number });
      await assert.rejects(asking, (error) => error instanceof TypeError && /timeoutMs/u.test(error.message));
    }
    assert.deepEqual([agent.lines.length, channel.openRequests], [1, 0]);
    await channel.close();
  },

  'rejects an aborted request with the reason, cancels it at the agent, and drops its late answer': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const aborting = new AbortController();
    const asking = outcomeOf(channel.request('mcp_status', {}, { signal: aborting.signal }));
    const request = await agent.next('mcp_status');
    const reason = new Error('Enough.');
    aborting.abort(reason);
    const error = await asking;
    assert.ok(error instanceof AbortError);
    assert.equal(error.cause, reason);
    assert.equal((await agent.next('control_cancel_request')).request_id, request.request_id);
    answer(agent, request);
    await microtasks();
    assert.equal(channel.openRequests, 0);
    await channel.close();
  },

  'rejects all open requests with one error and cancels them at the agent; initialize keeps its deadline': async (
    fixture,
  ) => {
    const { agent, channel, clock } = await open(fixture, { unanswered: true });
    const asking = [outcomeOf(channel.request('mcp_status')), outcomeOf(channel.request('set_model'))];
    const initialized = outcomeOf(channel.initialized);
    await microtasks();
    const error = new SdkError('REQUEST_STALLED', 'Nobody reads.');
    channel.giveUpRequests(error);
    assert.deepEqual(await Promise.all(asking), [error, error]);
    assert.equal(channel.openRequests, 1);
    for (const subtype of ['mcp_status', 'set_model']) {
      const { request_id } = await agent.next(subtype);
      await agent.next((frame) => frame.type === 'control_cancel_request' && frame.request_id === request_id);
    }
    clock.pass(60_000);
    assert.ok(hasCode('INITIALIZE_TIMEOUT')(await initialized));
    channel.giveUpRequests(error);
    await channel.close();
  },

  'writes nothing for a request that was aborted before': async (fixture) => {
    const { agent, channel } = await open(fixture);
    await assert.rejects(channel.request('mcp_status', {}, { signal: AbortSignal.abort() }), AbortError);
    assert.equal(agent.lines.length, 1);
    await channel.close();
  },

  'rejects a request that is aborted while its fields are read': async (fixture) => {
    const { channel } = await open(fixture);
    const aborting = new AbortController();
    const fields = {
      get late() {
        aborting.abort();
        return 1;
      },
    };
    const asking = outcomeOf(channel.requestUntyped('mcp_status', fields, { signal: aborting.signal }));
    await microtasks();
    assert.equal(channel.openRequests, 0);
    assert.ok((await asking) instanceof AbortError);
    await channel.close();
  },

  'rejects with the error of a signal that cannot be followed': async (fixture) => {
    const { channel } = await open(fixture);
    const error = new Error('Refused by the test.');
    const signal = new CountingSignal();
    signal.addEventListener = () => {
      throw error;
    };
    assert.equal(await outcomeOf(channel.request('mcp_status', {}, { signal })), error);
    assert.equal(channel.openRequests, 0);
    await channel.close();
  },

  'never sends a request that is aborted while it is held back': async (fixture) => {
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true });
    const aborting = new AbortController();
    const asking = outcomeOf(channel.request('mcp_status', {}, { signal: aborting.signal }));
    aborting.abort();
    assert.ok((await asking) instanceof AbortError);
    answer(agent, await agent.next('initialize'));
    await channel.send({ content: 'Hello', uuid });
    assert.deepEqual(
      agent.received.map(({ type }) => type),
      ['control_request', 'user'],
    );
    await channel.close();
  },

  'sends the given subtype, whatever the fields contain': async (fixture) => {
    const { agent, channel } = await open(fixture);
    void outcomeOf(channel.requestUntyped('mcp_status', { subtype: 'end_session' }));
    await microtasks();
    assert.equal(agent.received.at(-1)?.request?.subtype, 'mcp_status');
    await channel.close();
  },

  'leaves no listener and no timer when a request has ended': async (fixture) => {
    const { agent, channel, clock } = await open(fixture);
    const signal = new CountingSignal();
    const asking = channel.request('mcp_status', {}, { signal, timeoutMs: 1000 });
    answer(agent, await agent.next('mcp_status'));
    await asking;
    assert.deepEqual([signal.listeners, clock.waiting], [0, 0]);
    await channel.close();
  },

  'rejects when the payload of an answer is not an object': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const asking = outcomeOf(channel.request('mcp_status'));
    answer(agent, await agent.next('mcp_status'), ['a list']);
    assert.ok(hasCode('REQUEST_FAILED')(await asking));
    await channel.close();
  },

  'ignores answers without a request, and malformed ones': async (fixture) => {
    const { agent, channel, messages } = await open(fixture);
    const asking = channel.request('mcp_status');
    const request = await agent.next('mcp_status');
    agent.write(
      { type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } },
      { type: 'control_response', response: null },
      { type: 'control_response', request_id: request.request_id, result: {} },
    );
    answer(agent, request, { at: 'last' });
    assert.deepEqual(await asking, { at: 'last' });
    assert.deepEqual(messages, []);
    await channel.close();
  },
};

class CountingSignal extends EventTarget implements AbortSignal {
  readonly aborted = false;
  readonly reason: unknown = undefined;
  onabort: AbortSignal['onabort'] = null;
  listeners = 0;

  throwIfAborted(): void {}

  override addEventListener(...parameters: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...parameters);
  }

  override removeEventListener(...parameters: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...parameters);
  }
}

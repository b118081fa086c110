import { assert } from './assert.ts';
import { AgentExitedError, SdkError, type PermissionAnswer } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { microtasks } from '../doubles/microtasks.ts';
import { hasCode } from './has-code.ts';
import { open, outcomeOf, type ProtocolPromises } from './protocol-fixture.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const state = { type: 'system', subtype: 'session_state_changed', state: 'idle', uuid: 'u', session_id: 's' };
const permission = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: {} };

/** How a conversation ends, on either side. */
export const exits: ProtocolPromises = {
  'delivers every message before it reports the exit, once': async (fixture) => {
    const order: unknown[] = [];
    const { agent, channel } = await open(fixture, {
      host: { message: ({ type }) => order.push(type), exited: ({ code }) => order.push(code) },
    });
    agent.write(state, state);
    agent.exit({ code: 3 });
    await agent.exited;
    await microtasks();
    await channel.close();
    assert.deepEqual(order, ['system', 'system', 3]);
  },

  'delivers a last line without a line’s end when it is a complete frame': async (fixture) => {
    const { agent, messages, exits } = await open(fixture);
    agent.exit({ unterminated: JSON.stringify(state) });
    await agent.exited;
    await microtasks();
    assert.deepEqual(messages, [state]);
    assert.equal(exits[0]?.unterminated, undefined);
  },

  'reports an incomplete last frame in the exit and its errors': async (fixture) => {
    const { agent, channel, messages, exits } = await open(fixture);
    const asking = outcomeOf(channel.request('mcp_status'));
    agent.exit({ code: 1, unterminated: '{"type":"sys' });
    const error = await asking;
    assert.ok(error instanceof AgentExitedError);
    assert.equal(error.unterminated, '{"type":"sys');
    await microtasks();
    assert.deepEqual([messages.length, exits[0]?.unterminated], [0, '{"type":"sys']);
  },

  'rejects open requests when the agent exits, with how it exited and what was lost': async (fixture) => {
    const { agent, channel } = await open(fixture);
    const asking = [outcomeOf(channel.request('mcp_status')), outcomeOf(channel.request('set_model'))];
    agent.exit({ signal: 'SIGKILL', stderr: 'last words' });
    for (const outcome of asking) {
      const error = await outcome;
      assert.ok(error instanceof AgentExitedError);
      assert.match(error.message, /SIGKILL/u);
      assert.deepEqual([error.stderr, error.lost], ['last words', ['mcp_status', 'set_model']]);
    }
    assert.equal(channel.openRequests, 0);
  },

  'rejects open requests when the connection can no longer be read, and ends the agent': async (fixture) => {
    const order: unknown[] = [];
    const signals: AbortSignal[] = [];
    const { agent, channel } = await open(fixture, {
      host: {
        can_use_tool: (_, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
        message: ({ type }) => order.push(type),
        broken: (error) => order.push(error),
        exited: ({ closed }) => order.push(closed),
      },
    });
    const asking = outcomeOf(channel.request('mcp_status'));
    agent.write({ type: 'control_request', request_id: 'a', request: permission }, state);
    const error = new SdkError('LINE_TOO_LONG', 'Too long.');
    agent.breakOff(error);
    assert.equal(await asking, error);
    await agent.exited;
    await microtasks();
    assert.deepEqual(order, ['system', error, true]);
    assert.equal(order[1], error);
    assert.deepEqual([signals[0]?.reason, channel.openRequests, channel.openAnswers], [error, 0, 0]);
    await assert.rejects(
      channel.request('mcp_status'),
      (late) => hasCode('CHANNEL_CLOSED')(late) && late instanceof Error && late.cause === error,
    );
  },

  'ends an agent that has closed its input and runs on': async (fixture) => {
    const order: unknown[] = [];
    const { agent, channel, clock } = await open(fixture, {
      host: {
        can_use_tool: async () => ({ behavior: 'deny', message: 'No.' }),
        broken: ({ code }) => order.push(code),
        exited: ({ closed }) => order.push(closed),
      },
    });
    agent.closeInput();
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    await microtasks();
    assert.deepEqual(order, []); // it may be about to exit, which would explain more
    clock.pass(60_000);
    await microtasks(50);
    assert.deepEqual(order, ['CHANNEL_CLOSED', true]);
    await channel.close();
  },

  'leaves the exit of an agent whose input broke to be reported as it is': async (fixture) => {
    const broken: unknown[] = [];
    const { agent, channel, clock, exits } = await open(fixture, { host: { broken: (error) => broken.push(error) } });
    agent.closeInput();
    const sending = outcomeOf(channel.send({ content: 'Hello', uuid }));
    agent.exit({ code: 3 });
    await agent.exited;
    assert.ok(hasCode('CHANNEL_CLOSED')(await sending));
    clock.pass(60_000);
    await microtasks();
    assert.deepEqual([broken, exits.map(({ code, closed }) => [code, closed]), clock.waiting], [[], [[3, false]], 0]);
  },

  'rejects with CHANNEL_CLOSED when the connection fails with an error of its own': async (fixture) => {
    const { agent, channel } = await open(fixture, { unanswered: true });
    const cause = new Error('Socket reset.');
    agent.breakOff(cause);
    await assert.rejects(
      channel.initialized,
      (error) => hasCode('CHANNEL_CLOSED')(error) && error instanceof Error && error.cause === cause,
    );
    await agent.exited;
  },

  'refuses calls after the exit with CHANNEL_CLOSED': async (fixture) => {
    const { agent, channel } = await open(fixture);
    agent.exit({ code: 1 });
    await agent.exited;
    await microtasks();
    await assert.rejects(channel.send({ content: 'Hello', uuid }), hasCode('CHANNEL_CLOSED'));
    await assert.rejects(channel.request('mcp_status'), hasCode('CHANNEL_CLOSED'));
    await channel.end();
  },

  '#57 aborts the signals of open callbacks when the agent exits, and drops their answers': async (fixture) => {
    const answer = new Deferred<PermissionAnswer>();
    const signals: AbortSignal[] = [];
    const { agent, channel, exits, given } = await open(fixture, {
      host: {
        can_use_tool: (_, { signal }) => {
          signals.push(signal);
          return answer.promise;
        },
      },
    });
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    agent.exit();
    await agent.exited;
    await microtasks();
    assert.deepEqual([signals[0]?.aborted, channel.openAnswers, exits.length], [true, 0, 1]);
    answer.resolve({ behavior: 'allow' });
    await microtasks();
    assert.equal(given.length, 1);
  },

  'ends its side only after everything is written': async (fixture) => {
    const { agent, channel } = await open(fixture);
    agent.stopReading();
    const sending = channel.send({ content: 'Hello', uuid });
    const ending = channel.end();
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.startReading();
    await Promise.all([sending, ending]);
    assert.deepEqual([agent.lines.length, agent.inputEnded], [2, true]);
    await channel.close();
  },

  'ends its side only when what initialize held back is out': async (fixture) => {
    const { agent, channel } = await open(fixture, { awaitInitialize: true, unanswered: true });
    const sending = channel.send({ content: 'Hello', uuid });
    const ending = channel.end();
    await microtasks();
    assert.equal(agent.inputEnded, false);
    agent.write({
      type: 'control_response',
      response: { subtype: 'success', request_id: (await agent.next('initialize')).request_id },
    });
    await Promise.all([sending, ending]);
    assert.deepEqual([agent.lines.length, agent.inputEnded], [2, true]);
    await channel.close();
  },

  'sends nothing after its side was ended, and still delivers messages': async (fixture) => {
    const { agent, channel, messages } = await open(fixture);
    await channel.end();
    await channel.end();
    await assert.rejects(channel.send({ content: 'Hello', uuid }), hasCode('CHANNEL_CLOSED'));
    agent.write(state);
    await microtasks();
    assert.deepEqual(messages, [state]);
    await channel.close();
  },

  'rejects open requests when it is closed, aborts callbacks, and delivers nothing more': async (fixture) => {
    const signals: AbortSignal[] = [];
    const opened = await open(fixture, {
      host: {
        can_use_tool: (_, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      },
    });
    const { agent, channel, messages, exits } = opened;
    const asking = outcomeOf(channel.request('mcp_status'));
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    await microtasks();
    agent.write(state);
    await channel.close();
    assert.ok(hasCode('CHANNEL_CLOSED')(await asking));
    assert.deepEqual([signals[0]?.aborted, messages.length], [true, 0]);
    assert.deepEqual(
      exits.map(({ closed }) => closed),
      [true],
    );
  },

  'delivers not even the rest of a batch when the host closes in the middle': async (fixture) => {
    let count = 0;
    const { agent, channel } = await open(fixture, {
      host: {
        message: () => {
          count += 1;
          void channel.close();
        },
      },
    });
    agent.write(state, state, state);
    await agent.exited;
    assert.equal(count, 1);
  },

  'may be closed twice, while paused, and after the exit': async (fixture) => {
    const { agent, channel, exits } = await open(fixture);
    channel.pause();
    agent.write(state);
    await Promise.all([channel.close(), channel.close()]);
    await channel.close();
    channel.pause();
    assert.deepEqual([agent.paused, exits.length], [false, 1]);
    const gone = await open(fixture);
    gone.agent.exit();
    await gone.channel.close();
    await gone.channel.close();
    assert.equal(gone.exits.length, 1);
  },

  'answers nothing once it is closed': async (fixture) => {
    const answer = new Deferred<PermissionAnswer>();
    const { agent, channel, given } = await open(fixture, { host: { can_use_tool: () => answer.promise } });
    agent.write({ type: 'control_request', request_id: 'a', request: permission });
    await microtasks();
    await channel.close();
    answer.resolve({ behavior: 'allow' });
    await microtasks();
    assert.equal(given.length, 1);
  },
};

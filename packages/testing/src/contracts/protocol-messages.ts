import { assert } from './assert.ts';
import type { AgentMessage } from '@hexagent/ports';
import { microtasks } from '../doubles/microtasks.ts';
import { answer, open, type ProtocolPromises } from './protocol-fixture.ts';

const state = { type: 'system', subtype: 'session_state_changed', state: 'idle', uuid: 'u', session_id: 's' };

/** Which lines of the agent reach the host. */
export const messages: ProtocolPromises = {
  'delivers messages in order, unknown types and unknown fields untouched': async (fixture) => {
    const { agent, channel, messages } = await open(fixture);
    const sent = [
      state,
      { type: 'from_the_future', deep: { field: [1, null] } },
      { ...state, state: 'running', more: 1 },
    ];
    agent.write(...sent);
    await microtasks();
    assert.deepEqual(messages, sent);
    await channel.close();
  },

  'reports the length of each line': async (fixture) => {
    const lengths: number[] = [];
    const { agent, channel } = await open(fixture, { host: { message: (_, bytes) => lengths.push(bytes) } });
    agent.write(state, { type: 'x' });
    await microtasks();
    assert.deepEqual(lengths, [JSON.stringify(state).length, '{"type":"x"}'.length]);
    await channel.close();
  },

  'delivers each message with its line, from which it can parse the message again': async (fixture) => {
    const given: { message: AgentMessage; bytes: number; line: string }[] = [];
    const { agent, channel } = await open(fixture, {
      host: { message: (message, bytes, line) => given.push({ message, bytes, line }) },
    });
    const lines = ['{"type":"a","n":[1,{"ü":"👋"}]}', ' {"type":"system"}', '{"type":"assistant"}'];
    agent.writeLines(lines);
    await microtasks();
    assert.deepEqual(
      given.map(({ line }) => line),
      lines,
    );
    for (const { message, bytes, line } of given) {
      assert.equal(bytes, line.length);
      assert.deepEqual(channel.reread(line), message);
    }
    await channel.close();
  },

  'keeps control frames, keep-alives and mirrored transcripts to itself': async (fixture) => {
    const { agent, channel, messages } = await open(fixture);
    agent.write(
      { type: 'keep_alive' },
      { type: 'transcript_mirror', filePath: '/x', entries: [] },
      { type: 'control_cancel_request', request_id: 'nobody' },
      { type: 'control_request', request_id: 'a', request: { subtype: 'unknown' } },
      { type: 'control_request', request: { subtype: 'can_use_tool' } },
      { type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } },
    );
    await microtasks();
    assert.deepEqual(messages, []);
    await channel.close();
  },

  '#34 skips a line that is not a frame, reports it, and continues': async (fixture) => {
    const { agent, channel, messages, observed } = await open(fixture);
    const noise = ['Warning: something', 'null', '[1]', '42', '"text"', '{"no":"type"}', '{"type":"syst'];
    agent.writeLines([...noise, '', '  ', JSON.stringify(state)]);
    await microtasks();
    assert.deepEqual(messages, [state]);
    const skipped = observed.flatMap((event) => (event.kind === 'bad_line' && event.skipped ? [event.line] : []));
    assert.deepEqual(skipped, noise);
    await channel.close();
  },

  'delivers a message in an unexpected form, and reports it': async (fixture) => {
    const { agent, channel, messages, observed } = await open(fixture);
    const odd = { type: 'result', subtype: 'success' };
    agent.write(odd);
    await microtasks();
    assert.deepEqual(messages, [odd]);
    const suspects = observed.flatMap((event) => (event.kind === 'bad_line' ? [[event.line, event.skipped]] : []));
    assert.deepEqual(suspects, [[JSON.stringify(odd), false]]);
    await channel.close();
  },

  'continues when the host throws, and reports it': async (fixture) => {
    const error = new Error('The host failed.');
    const seen: unknown[] = [];
    const { agent, channel, observed } = await open(fixture, {
      host: {
        message: (message) => {
          seen.push(message);
          throw error;
        },
      },
    });
    agent.write(state, state);
    await microtasks();
    assert.equal(seen.length, 2);
    assert.deepEqual(observed.filter(({ kind }) => kind === 'callback_failed').length, 2);
    await channel.close();
  },

  'notifies the observer of every frame in both directions, and ignores what it throws': async (fixture) => {
    const kinds: string[] = [];
    const throwing = {
      createProtocol: (ports: Parameters<typeof fixture.createProtocol>[0]) =>
        fixture.createProtocol({
          ...ports,
          observer: {
            observe: (event) => {
              kinds.push(event.kind);
              throw new Error('The observer failed.');
            },
          },
        }),
    };
    const { agent, channel, messages } = await open(throwing);
    agent.write(state, { type: 'keep_alive' });
    await microtasks();
    assert.deepEqual(kinds, ['sent', 'received', 'received', 'received']);
    assert.deepEqual(messages, [state]);
    await channel.close();
  },

  'works without an observer': async (fixture) => {
    const silent = {
      createProtocol: ({ ids, clock }: Parameters<typeof fixture.createProtocol>[0]) =>
        fixture.createProtocol({ ids, clock }),
    };
    const { agent, channel, messages } = await open(silent);
    agent.writeLines(['noise', JSON.stringify(state)]);
    await microtasks();
    assert.deepEqual(messages, [state]);
    await channel.close();
  },

  'stops reading on pause() and starts on resume(), also when called twice in a row': async (fixture) => {
    const { agent, channel, messages } = await open(fixture);
    channel.pause();
    channel.pause();
    agent.write(state);
    await microtasks();
    assert.deepEqual([agent.paused, messages.length], [true, 0]);
    const asking = channel.request('mcp_status');
    answer(agent, await agent.next('mcp_status'));
    channel.resume();
    assert.equal(agent.paused, false);
    channel.resume();
    await asking;
    assert.deepEqual([agent.paused, messages.length], [false, 1]);
    await channel.close();
  },
};

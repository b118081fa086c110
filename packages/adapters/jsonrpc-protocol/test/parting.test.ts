import { describe, expect, it } from 'vitest';
import { AgentExitedError, SdkError, type Exit, type FrameParser } from '@hexagent/ports';
import { wireParser } from '@hexagent/parser';
import { microtasks } from '@hexagent/testing';
import { openStepped } from './connection.ts';

const exit: Exit = { code: 1, signal: null, stderr: 'why', closed: false };
const gone = (): Promise<never> => Promise.reject(new SdkError('CHANNEL_CLOSED', 'EPIPE'));

describe('A channel whose connection takes its time', () => {
  it('is closed only when the host has received the exit', async () => {
    const { channel, connection, exits } = openStepped();
    let isClosed = false;
    const closing = channel.close().then(() => (isClosed = true));
    await microtasks();
    expect(isClosed).toBe(false);
    connection.leaving.resolve({ ...exit, closed: true });
    await closing;
    expect(exits).toHaveLength(1);
  });
});

describe('A channel that is suspended', () => {
  it('kills the agent before its input ends, answers nothing, and ends what it asked with the error', async () => {
    const reasons: unknown[] = [];
    const { channel, connection } = openStepped(
      {},
      {
        can_use_tool: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              resolve({ behavior: 'deny', message: 'too late' });
            });
          }),
      },
    );
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't', input: {} };
    connection.frames.push([JSON.stringify({ type: 'control_request', request_id: 'q', request })]);
    await microtasks();
    const written = connection.log.filter((line) => line.startsWith('{')).length;
    const suspended = new SdkError('SESSION_SUSPENDED', 'It continues elsewhere.');
    const closing = channel.close({ suspended });
    connection.leaving.resolve({ ...exit, closed: true });
    await closing;
    expect(reasons).toEqual([suspended]);
    expect(connection.log).toContain('close at once');
    expect(connection.log).not.toContain('end');
    expect(connection.log.filter((line) => line.startsWith('{'))).toHaveLength(written);
  });
});

describe('A channel whose agent has exited', () => {
  it('waits for no exit when it is closed', async () => {
    const { channel, connection, clock } = openStepped();
    connection.frames.end();
    connection.leaving.resolve(exit);
    await microtasks();
    await channel.close();
    expect(clock.waiting).toBe(0);
  });
});

describe('A channel whose parser refuses every answer', () => {
  it('does not wait for them: the input could never be ended', async () => {
    const parser: FrameParser = {
      ...wireParser,
      stringify(frame) {
        if (frame.type === 'control_response') throw new SdkError('FRAME_INVALID', 'Refused by the test.');
        return wireParser.stringify(frame);
      },
    };
    const { channel, connection, observed } = openStepped({}, { can_use_tool: async () => null }, parser);
    const request = { subtype: 'can_use_tool' };
    connection.frames.push([JSON.stringify({ type: 'control_request', request_id: 'a', request })]);
    await microtasks();
    expect(channel.openAnswers).toBe(0);
    expect(observed.at(-1)).toMatchObject({ kind: 'received' });
  });
});

describe('A channel whose connection breaks', () => {
  it('counts as closed when someone else closed the connection', async () => {
    const { channel, connection } = openStepped();
    connection.frames.end();
    connection.leaving.resolve({ ...exit, closed: true });
    await expect(channel.initialized).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' });
  });

  it('explains a request that could not be written by the exit of the agent', async () => {
    const { channel, connection } = openStepped();
    connection.sending = gone;
    const asking = channel.request('mcp_status').catch((error: unknown) => error);
    await microtasks();
    connection.frames.end();
    connection.leaving.resolve(exit);
    const error = await asking;
    expect(error).toBeInstanceOf(AgentExitedError);
    expect(error).toMatchObject({ stderr: 'why' });
  });

  it('does not wait for ever for the exit of an agent that only stopped listening', async () => {
    const { channel, connection, clock } = openStepped();
    connection.sending = gone;
    const asking = channel.request('mcp_status').catch((error: unknown) => error);
    await microtasks();
    clock.pass(2999);
    expect(channel.openRequests).toBe(2); // `initialize` is the other
    clock.pass(1);
    expect(await asking).toMatchObject({ code: 'CHANNEL_CLOSED', cause: { message: 'EPIPE' } });
    expect(connection.log.at(-1)).toBe('close');
  });

  it('drops an answer that cannot be written', async () => {
    const { channel, connection, observed } = openStepped({}, { elicitation: async () => ({ action: 'accept' }) });
    await microtasks();
    connection.sending = gone;
    const request = { subtype: 'elicitation', mcp_server_name: 's', message: 'm' };
    connection.frames.push([JSON.stringify({ type: 'control_request', request_id: 'a', request })]);
    await microtasks();
    expect(channel.openAnswers).toBe(0);
    expect(observed.filter(({ kind }) => kind === 'callback_failed')).toEqual([]);
  });
});

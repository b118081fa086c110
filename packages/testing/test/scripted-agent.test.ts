import type { Connection, Launch } from '@hexagent/ports';
import {
  gate,
  linkedTransport,
  microtasks,
  plainLaunch,
  reply,
  scriptedAgent,
  type AgentScript,
} from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

interface Received {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}

/** A host that reads and writes frames itself. */
async function talk(script: AgentScript, launch: Partial<Launch> = {}) {
  const { transport } = linkedTransport(scriptedAgent({ stateFrames: false, ...script }));
  const connection: Connection = await transport.connect(plainLaunch(launch));
  const frames: Received[] = [];
  const reading = (async () => {
    for await (const batch of connection.frames) frames.push(...batch.map((line) => JSON.parse(line) as Received));
  })();
  return {
    connection,
    frames,
    reading,
    async send(text: string, fields: object = {}): Promise<void> {
      await write(connection, { type: 'user', message: { role: 'user', content: text }, ...fields });
    },
    async ask(subtype: string, fields: object = {}): Promise<unknown> {
      await write(connection, { type: 'control_request', request_id: subtype, request: { subtype, ...fields } });
      return frames.findLast(({ type }) => type === 'control_response')?.['response'];
    },
    async answer(response: object): Promise<void> {
      const request_id = frames.findLast(({ type }) => type === 'control_request')?.['request_id'];
      await write(connection, { type: 'control_response', response: { request_id, ...response } });
    },
    last: (type: string): Received | undefined => frames.findLast((frame) => frame.type === type),
  };
}

async function write(connection: Connection, frame: object): Promise<void> {
  await connection.send(JSON.stringify(frame));
  await microtasks();
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('A script', () => {
  it('whose answer to a control request cannot be written refuses the request', async () => {
    const { ask } = await talk({ controls: { count: () => ({ n: 1n }) } });
    expect(await ask('count')).toMatchObject({ subtype: 'error', error: expect.stringContaining('BigInt') });
  });

  it('that throws what cannot be read ends the agent', async () => {
    const thrown = (): never => {
      throw revoked(); // oxlint-disable-line typescript/only-throw-error -- Programs do.
    };
    const { connection, send } = await talk({ turns: thrown });
    await send('go');
    expect(await connection.exit).toMatchObject({ code: 1 });
    const { transport } = linkedTransport(thrown);
    expect(await (await transport.connect(plainLaunch())).exit).toMatchObject({ code: 1 });
  });

  it.each<[string, () => unknown, string]>([
    [
      'misspelt',
      () => scriptedAgent({ turn: ['42'] } as AgentScript),
      '`turn` is no option of scriptedAgent(). There are turns, ',
    ],
    ['a list', () => scriptedAgent(['42'] as AgentScript), 'scriptedAgent() takes an object of options, not a list.'],
    ['null', () => scriptedAgent(null as unknown as AgentScript), 'not null.'],
    [
      'a text for turns',
      () => scriptedAgent({ turns: '42' as never }),
      '`turns` must be a list or a function, not "42".',
    ],
    [
      'no turn',
      () => scriptedAgent({ turns: [undefined as never] }),
      '`turns[0]` must be a text or made by `reply`, not undefined.',
    ],
    [
      'no step',
      () => scriptedAgent({ turns: [['a', { tool: 'Bash' } as never]] }),
      '`turns[0][1]` must be a text or made by',
    ],
    ['a step of no kind', () => scriptedAgent({ turns: [{ step: 'toString' } as never] }), '`turns[0]` must be a text'],
    [
      'ask',
      () => reply.tool('Bash', {}, { ask: true } as object),
      '`ask` is no option of reply.tool(). There are asks, ',
    ],
    ['fail', () => reply.shell('ls', { fail: true } as object), '`fail` is no option of reply.shell().'],
    ['null', () => reply.subagent('x', null as never), 'reply.subagent() takes an object of options, not null.'],
  ])('is refused where it is written, by its place: %s', (_, write, message) => {
    expect(write).toThrow(TypeError);
    expect(write).toThrow(message);
  });

  it('that is a function and returns no turn ends the agent with the place in its error stream', async () => {
    const { connection, send } = await talk({ turns: () => undefined as never });
    await send('go');
    expect((await connection.exit).stderr).toContain(
      '`turns(message, 0)` must be a text or made by `reply`, not undefined.',
    );
  });
});

describe('A scripted agent', () => {
  it('answers each message with the next turn of its script', async () => {
    const { send, frames } = await talk({ turns: ['one', 'two'] });
    await send('a');
    await send('b');
    const results = frames.filter(({ type }) => type === 'result').map((frame) => frame['result']);
    expect(results).toEqual(['one', 'two']);
  });

  it('calls a function for the turn of each message', async () => {
    const { send, last } = await talk({ turns: ({ message }, index) => `${index}: ${String(message?.content)}` });
    await send('hello');
    expect(last('result')).toMatchObject({ result: '0: hello' });
  });

  it.each<[string, boolean, object]>([
    ['PostToolUse', false, { duration_ms: 1 }],
    ['PostToolUseFailure', true, { is_interrupt: false, duration_ms: 1 }],
  ])('sends a hook for %s what the CLI sends it', async (event, isError, fields) => {
    const { ask, send, last } = await talk({ turns: [[reply.tool('Bash', { command: 'ls' }, { isError }), 'done']] });
    await ask('initialize', { hooks: { [event]: [{ hookCallbackIds: ['a'] }] } });
    await send('go');
    expect(last('control_request')).toMatchObject({ request: { callback_id: 'a', input: fields } });
  });

  it('reports an error when its script is exhausted', async () => {
    const { send, last } = await talk({ turns: ['one'] });
    await send('a');
    await send('b');
    expect(last('result')).toMatchObject({
      is_error: true,
      result: expect.stringContaining('1 turns, and this is turn 2'),
    });
  });

  it('reports the usage of each turn, and the total costs', async () => {
    const { send, last } = await talk({ turns: ['one', [reply.tool('Read'), 'two']] });
    await send('a');
    expect(last('result')).toMatchObject({ usage: { output_tokens: 5 }, total_cost_usd: 0.00014, num_turns: 1 });
    await send('b');
    expect(last('result')).toMatchObject({ usage: { output_tokens: 10 }, total_cost_usd: 0.00042, num_turns: 2 });
  });

  it('runs a tool with the input that the host allowed', async () => {
    const script = {
      turns: [
        [reply.tool('Bash', { command: 'a' }, { asks: true, result: ({ command }) => `ran ${String(command)}` })],
      ],
    };
    const { send, answer, last } = await talk(script, { args: ['--permission-prompt-tool', 'stdio'] });
    await send('go');
    expect(last('control_request')).toMatchObject({ request: { subtype: 'can_use_tool', input: { command: 'a' } } });
    await answer({ subtype: 'success', response: { behavior: 'allow', updatedInput: { command: 'b' } } });
    expect(last('user')).toMatchObject({ message: { content: [{ content: 'ran b' }] } });
  });

  it('denies calls that need a permission when it was launched without a permission prompt', async () => {
    const { send, frames, last } = await talk({ turns: [[reply.tool('Bash', {}, { asks: true }), 'Well then.']] });
    await send('go');
    expect(frames.map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'assistant',
      'permission_denied',
      'user',
      'assistant',
      'success',
    ]);
    expect(last('result')).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
  });

  it('reports its state unless it plays an older CLI', async () => {
    const { send, frames } = await talk({ turns: ['one'], stateFrames: true });
    await send('a');
    const states = frames.filter(({ subtype }) => subtype === 'session_state_changed').map(({ state }) => state);
    expect(states).toEqual(['running', 'idle']);
  });

  it('reads nothing before it has started', async () => {
    const start = gate();
    const { send, frames } = await talk({ turns: ['one'], start });
    await send('a');
    expect(frames).toEqual([]);
    start.open();
    await microtasks();
    expect(frames.length).toBeGreaterThan(0);
  });

  it('waits at a gate until it opens', async () => {
    const silence = gate();
    const { send, last } = await talk({ turns: [[reply.text(['half', silence, ' whole'])]] });
    await send('a');
    await silence.reached;
    expect(last('assistant')).toBeUndefined();
    silence.open();
    await microtasks();
    expect(last('result')).toMatchObject({ result: 'half whole' });
  });

  it('sends any request to the host, and continues with its answer', async () => {
    const { send, answer, last } = await talk({
      turns: [[reply.ask({ subtype: 'elicitation', message: 'Who?' }), 'Thanks.']],
    });
    await send('a');
    expect(last('control_request')).toMatchObject({ request: { subtype: 'elicitation', message: 'Who?' } });
    expect(last('result')).toBeUndefined();
    await answer({ subtype: 'success', response: { action: 'decline' } });
    expect(last('result')).toMatchObject({ result: 'Thanks.' });
  });

  it('writes any frames, and ends a turn with any fields', async () => {
    const script = {
      turns: [[reply.frames({ type: 'banana' }), reply.result({ subtype: 'error_max_turns', is_error: true })]],
    };
    const { send, last } = await talk(script);
    await send('a');
    expect(last('banana')).toEqual({ type: 'banana' });
    expect(last('result')).toMatchObject({ subtype: 'error_max_turns', is_error: true });
  });

  it('exits where the script has it', async () => {
    const { send, last, connection } = await talk({
      turns: [['so far', reply.exit({ signal: 'SIGKILL', stderr: 'oops' })]],
    });
    await send('a');
    expect(await connection.exit).toMatchObject({ code: null, signal: 'SIGKILL', stderr: 'oops' });
    expect(last('result')).toBeUndefined();
  });

  it('exits with the error of a wrong script', async () => {
    const { send, connection } = await talk({
      turns: () => {
        throw new Error('no such turn');
      },
    });
    await send('a');
    expect(await connection.exit).toMatchObject({ code: 1, stderr: expect.stringContaining('no such turn') });
  });

  it('answers control requests by the script, by itself, or with an error', async () => {
    const controls = {
      get_context_usage: () => ({ totalTokens: 7 }),
      mcp_reconnect: () => {
        throw new Error('Server not found: x');
      },
    };
    const { ask } = await talk({ controls });
    expect(await ask('get_context_usage')).toMatchObject({ subtype: 'success', response: { totalTokens: 7 } });
    expect(await ask('mcp_reconnect')).toMatchObject({ subtype: 'error', error: 'Server not found: x' });
    expect(await ask('set_permission_mode', { mode: 'plan' })).toMatchObject({ response: { mode: 'plan' } });
    expect(await ask('set_permission_mode', { mode: 'ask' })).toMatchObject({
      subtype: 'error',
      error_code: 'invalid_mode',
    });
    expect(await ask('dance')).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
  });

  it('answers `initialize` with the fields of the script, or with its error', async () => {
    const { ask } = await talk({ initialize: { claude_code_version: '3.0.0' } });
    expect(await ask('initialize')).toMatchObject({
      response: { claude_code_version: '3.0.0', output_style: 'default' },
    });
    const failing = await talk({
      controls: {
        initialize: () => {
          throw new Error('No.');
        },
      },
    });
    expect(await failing.ask('initialize')).toMatchObject({ subtype: 'error', error: 'No.' });
  });

  it('has the id of a resumed session, a given one, or its own', async () => {
    const idWith = async (...args: string[]): Promise<string | undefined> => {
      const { send, last } = await talk({ turns: ['one'] }, { args });
      await send('a');
      return last('result')?.session_id;
    };
    expect(await idWith('--resume=old')).toBe('old');
    expect(await idWith('--session-id=given')).toBe('given');
    expect(await idWith('--resume=old', '--fork-session', '--session-id=given')).toBe('given');
    expect(await idWith('--resume=old', '--fork-session')).toMatch(/^5e55/);
  });

  it('gives two connections sessions of their own', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: ['one'] }));
    const ids: unknown[] = [];
    for (let count = 0; count < 2; count += 1) {
      const connection = await transport.connect(plainLaunch());
      await connection.send('{"type":"user","message":{"role":"user","content":"a"}}');
      await connection.end();
      for await (const batch of connection.frames)
        ids.push(...batch.map((line) => (JSON.parse(line) as Received).session_id));
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('ends when its session is ended, whatever still runs', async () => {
    const { send, ask, connection } = await talk({ turns: [[reply.shell('tail -f log'), 'Started.']] });
    await send('watch');
    await ask('end_session');
    expect(await connection.exit).toMatchObject({ code: 0 });
  });
});

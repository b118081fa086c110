import { AbortError, AgentExitedError, deny, openSession, ask, type Transport } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentScript } from '@hexagent/testing';
import { createSdkMcpServer, tool } from '@hexagent/sdk';
import { expect } from 'vitest';

/** One session of a kind, from its start to its end. `signal` is shared by all of them and never aborts. */
export type Kind = (signal: AbortSignal) => Promise<void>;

/** Sessions with an agent in this process. */
export const inMemory: Readonly<Record<string, Kind>> = {
  'three turns': async (signal) => {
    const session = await openSession({ transport: playing({ turns: ['one', 'two', 'three'] }), signal });
    const turns = ['a', 'b', 'c'].map((text) => session.send(text));
    for (const turn of turns) expect(await turn.result).toMatchObject({ kind: 'completed' });
    await session.finish();
  },

  'one answer': async (signal) => {
    expect(await ask('hi', { transport: playing({ turns: ['hello'] }), signal }).result).toMatchObject({
      text: 'hello',
    });
  },

  'a query read to its end': async () => {
    const kinds: string[] = [];
    for await (const { type } of query({ prompt: 'hi', options: { transport: playing({ turns: ['hello'] }) } }))
      kinds.push(type);
    expect(kinds).toEqual(['system', 'assistant', 'result']);
  },

  'a query left in the middle': async () => {
    const transport = playing({ turns: [[reply.text(['hel', gate()])]] });
    for await (const message of query({ prompt: 'hi', options: { transport } })) if (message.type === 'system') break;
  },

  'an aborted query': async () => {
    const abortController = new AbortController();
    const transport = playing({ turns: [[reply.hold(gate())]] });
    const reading = (async () => {
      for await (const message of query({ prompt: 'hi', options: { transport, abortController } }))
        if (message.type === 'system') abortController.abort();
    })();
    await expect(reading).rejects.toBeInstanceOf(AbortError);
  },

  'an interrupted turn': async (signal) => {
    const silence = gate();
    const session = await openSession({
      transport: playing({ turns: [[reply.text(['hel', silence])], 'next'] }),
      signal,
    });
    const turn = session.send('hi');
    await silence.reached;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await session.send('again').result).toMatchObject({ kind: 'completed', text: 'next' });
    await session.close();
  },

  'a denied tool': async (signal) => {
    const transport = playing({ turns: [[reply.tool('Bash', { command: 'rm x' }, { asks: true }), 'Denied.']] });
    const session = await openSession({ transport, signal, onAsk: () => deny('No.') });
    const outcome = await session.send('remove x').result;
    expect(outcome).toMatchObject({ result: { permission_denials: [{ tool_name: 'Bash' }] } });
    await session.finish();
  },

  'a hook and a tool of ours': async (signal) => {
    let hooks = 0;
    const add = tool('add', 'adds', {}, async () => ({ content: [{ type: 'text', text: '5' }] }));
    const session = await openSession({
      transport: playing({ turns: [[reply.tool('mcp__calc__add'), 'Five.']] }),
      signal,
      tools: [{ calc: createSdkMcpServer({ name: 'calc', tools: [add] }) }],
      hooks: { PreToolUse: [{ hooks: [() => ((hooks += 1), {})] }] },
    });
    expect(await session.send('add').result).toMatchObject({ kind: 'completed', text: 'Five.' });
    expect(hooks).toBe(1);
    await session.close();
  },

  'an agent that dies': async (signal) => {
    const session = await openSession({ transport: playing({ turns: [['so far', reply.exit({ code: 3 })]] }), signal });
    await expect(session.send('hi').result).rejects.toBeInstanceOf(AgentExitedError);
    await session.close();
  },

  'a closing in the middle': async (signal) => {
    const silence = gate();
    const session = await openSession({ transport: playing({ turns: [[reply.hold(silence)]] }), signal });
    const { result } = session.send('hi');
    await silence.reached;
    await session.close();
    expect(await result).toMatchObject({ kind: 'interrupted' });
  },

  'a background shell': async (signal) => {
    const session = await openSession({
      transport: playing({ turns: [[reply.shell('tail -f log'), 'Started.']] }),
      signal,
    });
    await session.send('watch').result;
    expect(await session.finish()).toMatchObject({ code: 0 });
  },

  'an agent that cannot be reached': async (signal) => {
    const transport: Transport = { connect: () => Promise.reject(new Error('Nobody there.')) };
    await expect(openSession({ transport, signal })).rejects.toThrow('Nobody there.');
  },
};

function playing(script: AgentScript): Transport {
  return linkedTransport(scriptedAgent(script)).transport;
}

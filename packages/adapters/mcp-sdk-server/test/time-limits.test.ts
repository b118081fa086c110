import { Deferred } from '@hexagent/async';
import type { HostContext, JsonRpcMessage } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSdkMcpServer, HostedServers, hostServer, tool, toolResult } from '../src/index.ts';

interface Timed {
  readonly clock: HandClock;
  readonly hosted: HostedServers;
  /** The signals that the tool got, in order. */
  readonly signals: AbortSignal[];
  /** Lets the tool answer. */
  release(): void;
  call(context?: Partial<HostContext>): Promise<JsonRpcMessage | undefined>;
}

const { signal } = new AbortController();

/** A server with a tool that waits. */
function timed(timeout?: number): Timed {
  const clock = new HandClock();
  const signals: AbortSignal[] = [];
  const released = new Deferred<void>();
  const slow = tool('slow', 'd', {}, async (_, extra) => {
    signals.push(extra.signal);
    await released.promise;
    return toolResult.text('done');
  });
  const server = hostServer(createSdkMcpServer({ name: 'mine', tools: [slow], ...(timeout && { timeout }) }));
  const hosted = new HostedServers([server], { clock });
  let count = 0;
  const call: Timed['call'] = async (context = {}) => {
    const id = (count += 1);
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow', arguments: {} } } as const;
    const asked = { requestId: String(id), signal, ...context };
    return (await hosted.feature.handlers?.mcp_message?.({ server_name: 'mine', message }, asked)) ?? undefined;
  };
  return { clock, hosted, signals, call, release: () => released.resolve() };
}

// The first session of a process loads what serves it, which takes longer than these tests wait.
beforeAll(async () => {
  await hostServer(createSdkMcpServer({ name: 'first' })).open({ send: async () => {} });
});

describe('The timeout of a server', () => {
  it('#28 ends a call that takes longer, and the tool learns it; what it answers then is dropped', async () => {
    const { clock, call, signals, release } = timed(300);
    for (let count = 0; count < 2; count += 1) {
      const answer = call();
      await microtasks();
      expect(clock.waiting).toBe(1);
      clock.advance(300);
      expect(await answer).toEqual({
        jsonrpc: '2.0',
        id: count + 1,
        error: { code: -32_001, message: 'The tool slow of the MCP server mine did not answer within 300 ms.' },
      });
      expect(signals[count]?.aborted).toBe(true);
    }
    release();
    expect(await call()).toHaveProperty('result.content.0.text', 'done');
    expect(clock.waiting).toBe(0);
  });

  it('holds for calls of the program too', async () => {
    const { clock, hosted } = timed(300);
    const message = { jsonrpc: '2.0', id: 'p', method: 'tools/call', params: { name: 'slow' } } as const;
    const answer = hosted.ask('mine', message, { signal });
    await microtasks();
    clock.advance(300);
    expect(await answer).toHaveProperty('error.code', -32_001);
  });

  it('holds for a server that came while the conversation continued', async () => {
    const { clock, hosted, call } = timed();
    await hosted.change([], async () => {});
    await hosted.change([hostServer(createSdkMcpServer({ name: 'mine', timeout: 5, tools: [never] }))], async () => {});
    const answer = call();
    await microtasks();
    clock.advance(5);
    expect(await answer).toHaveProperty('error.code', -32_001);
  });

  it('leaves a call that the agent withdraws to its own end', async () => {
    const { clock, call, signals } = timed(300);
    const withdrawal = new AbortController();
    const answer = call({ signal: withdrawal.signal });
    await microtasks();
    withdrawal.abort('enough');
    expect(await answer).toHaveProperty('error.code', -32_800);
    expect(signals[0]?.aborted).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it.each([[undefined], [2 ** 31 - 1]])('#28 sets no limit with the value %s', async (timeout) => {
    const { clock, call, release } = timed(timeout);
    const answer = call();
    await microtasks();
    expect(clock.waiting).toBe(0);
    release();
    expect(await answer).toHaveProperty('result');
  });
});

const never = tool('slow', 'd', {}, () => new Promise<never>(() => {}));

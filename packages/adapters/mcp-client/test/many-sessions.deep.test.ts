import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { hello, notes, openSession, type AgentSession } from './dialling.ts';
import { notesHandler, olderNotesHandler, reach } from './web.ts';
import type { ExternalServer } from '../src/index.ts';

vi.setConfig({ testTimeout: 90_000 }); // a bound for real processes on a busy machine, never waited for

interface Shared extends AsyncDisposable {
  readonly server: ExternalServer;
  /** How many connections were made, and how much of them is open. */
  count(): Promise<{ readonly made: number; readonly open: number }>;
}

async function program(): Promise<Shared> {
  const dialled = await notes();
  const count: Shared['count'] = async () => ({
    made: (await dialled.pids()).length,
    open: (await dialled.alive()).length,
  });
  return { server: dialled.server, count, [Symbol.asyncDispose]: () => dialled[Symbol.asyncDispose]() };
}

async function byHttp(type: 'http' | 'sse'): Promise<Shared> {
  const reached = await reach(type === 'http' ? notesHandler() : olderNotesHandler(), { type });
  const count: Shared['count'] = async () => ({
    made: reached.web.requests.filter(({ method }) => method === 'GET').length,
    open: reached.web.open(),
  });
  return { server: reached.server, count, [Symbol.asyncDispose]: () => reached[Symbol.asyncDispose]() };
}

describe.each([
  ['a program', program],
  ['streamable HTTP', () => byHttp('http')],
  ['server-sent events', () => byHttp('sse')],
] as const)('A hundred sessions over one server by %s', (_, start) => {
  const open = (server: ExternalServer): Promise<AgentSession[]> =>
    Promise.all(
      Array.from({ length: 100 }, async () => {
        const agent = openSession(server);
        await agent.ask('initialize', hello, { id: 0 });
        return agent;
      }),
    );

  it('#41 have one connection, and each its own answers, progress and cancellation, under the same ids', async () => {
    await using shared = await start();
    const agents = await open(shared.server);
    const answers = await Promise.all(
      agents.map(({ ask }, n) => ask('tools/call', { name: 'echo', arguments: { n } }, { id: 1 })),
    );
    expect(answers.map(({ result }) => result)).toEqual(
      agents.map((__, n) => ({ content: [{ type: 'text', text: `{"n":${n}}` }] })),
    );
    // All wait under the same id and token; every second one is cancelled, and only those end.
    const waiting = agents.map(({ ask }) =>
      ask('tools/call', { name: 'wait', _meta: { progressToken: 'p' } }, { id: 2 }),
    );
    for (const { next } of agents) expect(await next()).toMatchObject({ params: { progressToken: 'p', progress: 0 } });
    const ended: number[] = [];
    waiting.forEach((answer, n) => void answer.then(() => ended.push(n)));
    const even = agents.flatMap((agent, n) => (n % 2 === 0 ? [{ agent, n }] : []));
    for (const { agent } of even)
      await agent.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    for (const { n } of even) await waiting[n];
    // An answer that comes after the cancellations: whatever they were to end has ended.
    expect(await agents[1]?.call('echo')).toBe('{}');
    expect(ended.toSorted((one, two) => one - two)).toEqual(even.map(({ n }) => n));
    expect(await shared.count()).toMatchObject({ made: 1 });
    await shared.server.close();
    for (const answer of await Promise.all(waiting)) expect(answer).toHaveProperty('error.code');
    await expect.poll(shared.count, { timeout: 20_000 }).toEqual({ made: 1, open: 0 });
  });

  it('#14 leave nothing behind when they are closed one after the other', async () => {
    await using shared = await start();
    const agents = await open(shared.server);
    const { signal } = new AbortController();
    await Promise.all(agents.map(({ ask }) => ask('tools/call', { name: 'echo' }, { signal })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    for (const { session } of agents.slice(1)) await session.close();
    expect(await agents[0]?.call('echo')).toBe('{}');
    expect(await shared.count()).toMatchObject({ made: 1 });
    await agents[0]?.session.close();
    await expect.poll(shared.count, { timeout: 20_000 }).toEqual({ made: 1, open: 0 });
    expect(shared.server.status).toEqual({ state: 'idle' });
  });
});

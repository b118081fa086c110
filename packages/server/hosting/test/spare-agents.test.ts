import { Deferred } from '@hexagent/async';
import type { AgentRequestOptions, HostedAgent } from '@hexagent/ports';
import { CountedIds, HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { SpareAgents } from '../src/index.ts';
import { FakeAgent } from './fake-agents.ts';

interface Pool {
  readonly spares: SpareAgents;
  readonly started: FakeAgent[];
  take(): Promise<HostedAgent>;
}

/** Spares of one kind, opened as `openSpare` does it. */
function pool(openSpare: (agent: FakeAgent, options: AgentRequestOptions) => Promise<HostedAgent>): Pool {
  const started: FakeAgent[] = [];
  const request = { session: 'chat', tenant: undefined, facts: {}, fence: 1 };
  const { signal } = new AbortController();
  const spares = new SpareAgents({
    open: async (own) => new FakeAgent(own),
    openSpare: async (_, options) => {
      const agent = new FakeAgent({ ...request, options });
      started.push(agent);
      return await openSpare(agent, options);
    },
    kindOf: () => 'kind',
    ids: new CountedIds(),
    clock: new HandClock(),
  });
  const take = (): Promise<HostedAgent> => spares.open({ ...request, options: { sessionId: 'own', signal } });
  spares.keep('kind');
  return { spares, started, take };
}

describe('Spare agents', () => {
  it('are given up while they start, when they are closed: nothing is waited for', async () => {
    const { spares, started } = pool(async (agent, { signal }) => {
      const aborted = new Deferred<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason));
      return await aborted.promise.finally(() => agent.die());
    });
    await spares.close();
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false]);
  });

  it('are given up before they are ready, too', async () => {
    const { spares, started } = pool(async (agent, { signal }) => {
      const ready = new Deferred<void>().handled();
      agent.ready = ready.promise;
      signal.addEventListener('abort', () => ready.reject(signal.reason));
      return agent;
    });
    await microtasks();
    await spares.close();
    expect(started.map(({ isAlive }) => isAlive)).toEqual([false]);
  });

  it('are closed with the pool, except the one that a session has taken', async () => {
    const { spares, started, take } = pool(async (agent, { signal }) => {
      signal.addEventListener('abort', () => void agent.close());
      return agent;
    });
    await spares.ready();
    const taken = await take();
    expect(taken).toBe(started[0]);
    spares.keep('kind');
    await spares.close();
    expect(started.map(({ isAlive }) => isAlive)).toEqual([true, false]);
  });

  it('are not given to a session once they have exited', async () => {
    const { spares, started, take } = pool(async (agent) => agent);
    await spares.ready();
    started[0]?.die();
    await microtasks();
    expect(await take()).not.toBe(started[0]);
    await spares.close();
  });
});

import { SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-agents.ts';

const refused = new SdkError('LEASE_LOST', 'The session is driven under lease 2; this was lease 1.');

describe('An agent of a host', () => {
  it('is opened with the fence of the lease of its session, which is higher under each lease', async () => {
    await using first = fakeHost();
    await first.send('chat');
    first.agents[0]?.answer();
    await first.settle();
    await first.host.drain();
    await using next = fakeHost(first.stores);
    await next.host.send('chat', { content: 'go', uuid: 'another' });
    await next.settle();
    const [before, after] = [first, next].map(({ agents }) => agents[0]?.request.fence ?? 0);
    expect(before).toBeGreaterThan(0);
    expect(after).toBeGreaterThan(before ?? 0);
  });
});

describe('An agent that was ended since its line came under an old lease', () => {
  it('is not started again here, and its message is run by the next host', async () => {
    await using first = fakeHost({ autoResume: 'continue' });
    const { done, uuid } = await first.send('chat');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const [agent] = first.agents;
    agent?.begin();
    await first.settle();
    agent?.report({ kind: 'closing', error: refused });
    agent?.report({ kind: 'turn_cut', turn: uuid, error: refused });
    await lost;
    await first.pass(60_000);
    expect([first.agents.length, agent?.isAlive, agent?.endings]).toEqual([1, false, ['suspend']]);
    expect(await first.outbox.pending('chat')).toMatchObject([{ uuid, state: 'started' }]);
    await using next = fakeHost({ ...first.stores, autoResume: 'continue' });
    expect(await next.host.recover()).toEqual(['chat']);
    await next.settle();
    expect(next.agents).toHaveLength(1);
    next.agents[0]?.answer();
    await next.settle();
    expect(await first.outbox.stateOf({ session: 'chat', uuid })).toBe('completed');
  });

  it('has its message cut off, and not refused, where the turn is reported first', async () => {
    await using first = fakeHost();
    const { uuid } = await first.send('chat');
    first.agents[0]?.report({ kind: 'turn_cut', turn: uuid, error: refused });
    await first.settle();
    expect(await first.outbox.pending('chat')).toMatchObject([{ uuid, state: 'sent' }]);
  });
});

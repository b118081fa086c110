import type { Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';
import { Asking } from './asking.ts';

const allow: Decision = { behavior: 'allow' };

describe('A limit', () => {
  it('is nowhere unless it is asked for', async () => {
    const asking = new Asking();
    asking.ask('my-chat');
    expect(await asking.opened()).not.toHaveProperty('expiresAt');
    expect(asking.clock.waiting).toBe(0);
  });

  it('of a kind denies requests of that kind, in words for the model', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    expect(await asking.opened()).toMatchObject({ expiresAt: 1_060_500 });
    asking.clock.advance(60_000);
    expect(await answer).toMatchObject({ message: expect.stringContaining('Nobody answered within 1 minute') });
    expect(await asking.settled()).toMatchObject({ state: 'expired', settledAt: 1_060_500 });
    asking.ask('my-chat', { tool: 'ExitPlanMode', input: { plan: 'p' } });
    expect(await asking.opened(2)).not.toHaveProperty('expiresAt');
    expect(asking.clock.waiting).toBe(0);
  });

  it('denies the request also where that cannot be stored', async () => {
    const store = new MemoryApprovalStore();
    const asking = new Asking(store, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    await asking.opened();
    store.settle = () => Promise.reject(new Error('disk full'));
    asking.clock.advance(60_000);
    expect(await answer).toMatchObject({ message: expect.stringContaining('Nobody answered within 1 minute') });
    expect(asking.warned).toMatchObject([{ message: expect.stringContaining('disk full') }]);
  });

  it('is removed once it was answered', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    await asking.approvals.settle((await asking.opened()).id, allow, 'ada');
    expect(await answer).toMatchObject(allow);
    expect(asking.clock.waiting).toBe(0);
  });

  it('of the session is shown too, and its end is an expiry', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { end } = asking.ask('my-chat', { expiresAfterMs: 1000 });
    expect(await asking.opened()).toMatchObject({ expiresAt: 1_001_500 });
    end('expired');
    expect(await asking.settled()).toMatchObject({ state: 'expired' });
    expect(asking.clock.waiting).toBe(0);
  });

  it('must be a delay', () => {
    expect(() => new Asking(undefined, { expiresAfterMs: { plan: -1 } })).toThrow('expiresAfterMs.plan');
  });
});

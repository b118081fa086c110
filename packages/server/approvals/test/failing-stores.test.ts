import { SdkError, type ApprovalStore, type Decision } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';
import { Asking, pausesMs } from './asking.ts';

const allow: Decision = { behavior: 'allow' };
const deny: Decision = { behavior: 'deny', message: 'no' };

interface Failing {
  readonly store: MemoryApprovalStore;
  /** The ids that were to be added. */
  readonly added: readonly string[];
}

/** A store of which some calls of a method fail, before or after they have done what they are to do. */
function failing(
  method: 'add' | 'list' | 'settle',
  { times = Infinity, isLate = false, error = new Error('no database') }: Partial<Failure> = {},
): Failing {
  const store = new MemoryApprovalStore();
  const added: string[] = [];
  const add: ApprovalStore['add'] = store.add.bind(store);
  store.add = async (record, fence) => {
    added.push(record.id);
    await add(record, fence);
  };
  const kept = store[method].bind(store) as (...args: readonly unknown[]) => Promise<never>;
  let left = times;
  const fails = async (...args: readonly unknown[]): Promise<never> => {
    left -= 1;
    if (left < 0) return await kept(...args);
    if (isLate) await kept(...args);
    else if (method === 'add') added.push('failed');
    throw error;
  };
  Object.assign(store, { [method]: fails });
  return { store, added };
}

interface Failure {
  readonly times: number;
  readonly isLate: boolean;
  readonly error: unknown;
}

describe('A request that cannot be stored', () => {
  it.each(['add', 'list'] as const)('is stored once the store works again: %s()', async (method) => {
    const { store } = failing(method, { times: 2 });
    const asking = new Asking(store);
    const { answer } = asking.ask('my-chat');
    await asking.pass(249);
    expect(asking.events).toEqual([]);
    await asking.pass(1, 500);
    const { id, createdAt } = await asking.opened();
    expect(createdAt).toBe(1_000_500);
    expect(asking.clock.waiting).toBe(0);
    await asking.approvals.settle(id, allow, 'ada');
    expect(await answer).toMatchObject(allow);
  });

  it('is denied after six attempts in eight seconds: it could not be answered', async () => {
    const { store, added } = failing('add');
    const asking = new Asking(store);
    const rejected = expect(asking.ask('my-chat').answer).rejects.toMatchObject({
      code: 'STORE_FAILED',
      // The agent and pages read it.
      message: 'The request could not be stored, so no person was asked.',
      cause: new Error('no database'),
    });
    await asking.pass(...pausesMs);
    await rejected;
    expect(added).toHaveLength(6);
    expect(asking.warned).toMatchObject([{ message: expect.stringContaining('no database') }]);
    expect([asking.events, asking.clock.waiting]).toEqual([[], 0]);
  });

  it('is not tried again once the agent does not wait any more', async () => {
    const { store, added } = failing('add');
    const asking = new Asking(store);
    const { answer, end } = asking.ask('my-chat');
    const rejected = expect(answer).rejects.toThrow('could not be stored');
    await asking.pass(250);
    expect(added).toHaveLength(2);
    end('suspended');
    await rejected;
    await asking.pass(10_000);
    expect([added.length, asking.clock.waiting]).toEqual([2, 0]);
  });

  it('is not tried again where its id is taken', async () => {
    const { store, added } = failing('add', { times: 0 });
    const asking = new Asking(store, { createId: () => 'the same' });
    asking.ask('my-chat');
    await asking.opened();
    await expect(asking.ask('other').answer).rejects.toThrow(TypeError);
    expect(added).toHaveLength(2);
  });
});

describe('A request that the store has, and reported as failed', () => {
  it('is not added a second time, and waits', async () => {
    const { store } = failing('add', { times: 1, isLate: true });
    const asking = new Asking(store);
    const { answer } = asking.ask('my-chat');
    await asking.pass(250);
    const { id } = await asking.opened();
    expect(await store.list()).toMatchObject([{ id, state: 'open' }]);
    await asking.approvals.settle(id, deny, 'ada');
    expect(await answer).toMatchObject(deny);
  });

  it('is given the answer that came meanwhile', async () => {
    const { store } = failing('add', { times: 1, isLate: true });
    const asking = new Asking(store);
    const { answer } = asking.ask('my-chat');
    await microtasks();
    await new Asking(store).approvals.settle('id-1', deny, 'ada');
    await asking.pass(250);
    expect(await answer).toMatchObject(deny);
    expect(asking.events.map(({ type }) => type)).toEqual(['opened', 'settled']);
  });

  it('ends what an earlier agent had asked, although the store failed to do that at first', async () => {
    const { store } = failing('settle', { times: 1 });
    const before = new Asking(store, { createId: () => 'before' });
    before.ask('my-chat');
    await before.opened();
    const asking = new Asking(store);
    asking.ask('my-chat');
    await asking.pass(250);
    expect(await asking.opened()).toMatchObject({ id: 'id-1', offered: { id: 'before' } });
    expect((await store.list()).map(({ id, state }) => [id, state])).toEqual([
      ['before', 'lost'],
      ['id-1', 'open'],
    ]);
  });
});

describe('An agent under an older lease', () => {
  it('is refused at once, and ends nothing that the agent under the newer lease asks', async () => {
    const { store, added } = failing('add', { times: 0 });
    const [newer, older] = [new Asking(store), new Asking(store, { createId: () => 'older' })];
    newer.ask('my-chat', { fence: 2 });
    const { id } = await newer.opened();
    const error: unknown = await older.ask('my-chat', { fence: 1 }).answer.catch((reason: unknown) => reason);
    expect(SdkError.is(error) && error.code).toBe('LEASE_LOST');
    expect(added).toEqual([id, 'older']);
    expect(await store.list()).toMatchObject([{ id, state: 'open' }]);
    expect([older.events, older.clock.waiting]).toEqual([[], 0]);
  });
});

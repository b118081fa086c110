import type { ApprovalRecord } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';

const asked = { session: 's', kind: 'permission', toolUseId: 't', tool: 'Write' } as const;

/** Settles a request to write a file of so many characters. */
async function settle(store: MemoryApprovalStore, id: string, length: number): Promise<void> {
  const record: ApprovalRecord = {
    ...asked,
    id,
    input: { content: 'x'.repeat(length) },
    suggestions: [],
    createdAt: 1,
    state: 'open',
  };
  await store.add(record);
  const settlement = { state: 'answered', settledAt: 2, answer: { behavior: 'allow' }, actor: 'ada' } as const;
  const { state, settledAt } = settlement;
  await store.settle(id, settlement, { ...asked, id, input: {}, askedAt: 1, state, settledAt });
}

const idsIn = async (store: MemoryApprovalStore): Promise<unknown> => [
  (await store.list()).map(({ id }) => id),
  (await Array.fromAsync(store.audit())).map(({ id }) => id),
];

describe('A store in memory', () => {
  it('forgets the oldest of what is settled, and its entry, beyond a number', async () => {
    const store = new MemoryApprovalStore({ maxSettled: 2 });
    for (const id of ['a', 'b', 'c']) await settle(store, id, 1);
    const kept = ['b', 'c'];
    expect(await idsIn(store)).toEqual([kept, kept]);
  });

  it('forgets the oldest where all are long, and keeps the last however long it is', async () => {
    const store = new MemoryApprovalStore();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await settle(store, id, 4_000_000);
    const kept = ['c', 'd', 'e'];
    expect(await idsIn(store)).toEqual([kept, kept]);
    await settle(store, 'long', 17_000_000);
    expect(await idsIn(store)).toEqual([['long'], ['long']]);
  });

  it('keeps nothing settled where it is to keep nothing', async () => {
    const store = new MemoryApprovalStore({ maxSettled: 0 });
    await settle(store, 'a', 1);
    expect(await idsIn(store)).toEqual([[], []]);
  });
});

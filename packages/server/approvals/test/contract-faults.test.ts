import { SdkError, type ApprovalAuditEntry, type ApprovalStore } from '@hexagent/ports';
import {
  approvalStoreContract,
  plantedFaults,
  withFault,
  type ApprovalStoreFixture,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';

type Change = (kept: ApprovalStore) => Partial<ApprovalStore>;

/** Stores that keep every promise but what the change spoils; `restarted` spoils the store after a restart. */
const faulty = (change: Change, restarted: Change = () => ({})): ApprovalStoreFixture => ({
  isDurable: true,
  open() {
    const store = withFault<ApprovalStore>(new MemoryApprovalStore(), change);
    return { store, reopen: async () => withFault(store, restarted) };
  },
});
const none: Change = () => ({});

async function* entries(
  kept: ApprovalStore,
  change: (entries: ApprovalAuditEntry[]) => readonly ApprovalAuditEntry[],
  ...filter: Parameters<ApprovalStore['audit']>
): AsyncIterable<ApprovalAuditEntry> {
  const all: ApprovalAuditEntry[] = [];
  for await (const entry of kept.audit(...filter)) all.push(entry);
  yield* change(all);
}
const auditing =
  (change: Parameters<typeof entries>[1]): Change =>
  (kept) => ({
    audit: (...filter) => entries(kept, change, ...filter),
  });

const faults = [
  [
    'loses what was offered before',
    faulty((kept) => ({ add: ({ offered: _, ...record }, fence) => kept.add(record, fence) })),
    [
      'returns a record as it was added',
      'keeps what it was given when the caller changes that, or what it returned',
      'has what was open and what was settled',
    ],
  ],
  [
    'has a record for any id',
    faulty((kept) => ({
      get: async (id) =>
        (await kept.get(id)) ?? {
          id,
          session: '',
          kind: 'permission',
          toolUseId: '',
          tool: '',
          input: {},
          suggestions: [],
          createdAt: 0,
          state: 'open',
        },
    })),
    [
      'has no record that was never added',
      'settles nothing that was never added',
      'refuses a record under a lower fence than before, and keeps nothing of it',
    ],
  ],
  [
    'lists first what was added last',
    faulty((kept) => ({ list: async (filter) => (await kept.list(filter)).toReversed() })),
    [
      'lists records in the order in which they were added',
      'lists the records of a session, a state and a tool',
      'refuses a record under a lower fence than before, and keeps nothing of it',
      'takes a record of another session under any fence, and one without a fence',
      'has what was open and what was settled',
      'settles what is open once, and what was settled not again',
    ],
  ],
  [
    'ignores the tool',
    faulty((kept) => ({ list: (filter) => kept.list({ ...filter, tool: undefined }) })),
    'lists the records of a session, a state and a tool',
  ],
  [
    'takes a second record of an id once the first is settled',
    faulty((kept) => ({
      async add(record, fence) {
        if ((await kept.get(record.id))?.state !== 'answered') await kept.add(record, fence);
      },
    })),
    'refuses a second record of the same id, and keeps the first',
  ],
  [
    'takes records of one id that are added at once',
    faulty((kept) => {
      const adding = new Map<string, Promise<void>>();
      return {
        async add(record, fence) {
          const added = adding.get(record.id) ?? kept.add(record, fence);
          adding.set(record.id, added);
          await added.finally(() => adding.delete(record.id));
        },
      };
    }),
    'keeps one of several records of the same id that are added at once',
  ],
  [
    'returns records that can be changed',
    faulty((kept) => {
      const shared = new Map<string, unknown>();
      return {
        async get(id) {
          const record = await kept.get(id);
          const copy = shared.get(JSON.stringify(record)) ?? structuredClone(record);
          shared.set(JSON.stringify(record), copy);
          return copy as typeof record;
        },
      };
    }),
    'keeps what it was given when the caller changes that, or what it returned',
  ],
  [
    'takes no more than a megabyte',
    faulty((kept) => ({
      async add(record, fence) {
        if (JSON.stringify(record).length > 900_000) throw new TypeError('It is too long.');
        await kept.add(record, fence);
      },
    })),
    'takes a record with an input of two megabytes',
  ],
  [
    'returns a record as it was before it was settled',
    faulty((kept) => ({
      async settle(id, ...given) {
        const before = await kept.get(id);
        const settled = await kept.settle(id, ...given);
        return settled.outcome === 'settled' && before ? { ...settled, record: before } : settled;
      },
    })),
    [
      'settles an open record, and returns it as it then is',
      'has one winner of many at the same time, and all others see it',
      'ends a record in every state',
    ],
  ],
  [
    'returns the second settlement to the second caller',
    faulty((kept) => ({
      async settle(id, settlement, entry) {
        const settled = await kept.settle(id, settlement, entry);
        return settled.outcome === 'already' ? { ...settled, record: { ...settled.record, ...settlement } } : settled;
      },
    })),
    [
      'settles a record once, and shows the first settlement to the second',
      'has one winner of many at the same time, and all others see it',
    ],
  ],
  [
    'has as many winners as settle at the same time',
    faulty((kept) => {
      const settling = new Map<string, ReturnType<ApprovalStore['settle']>>();
      return {
        async settle(id, ...given) {
          const settled = settling.get(id) ?? kept.settle(id, ...given);
          settling.set(id, settled);
          return await settled.finally(() => settling.delete(id));
        },
      };
    }),
    'has one winner of many at the same time, and all others see it',
  ],
  [
    'settles what was never added',
    faulty((kept) => ({
      async settle(id, ...given) {
        const settled = await kept.settle(id, ...given);
        return settled.outcome === 'unknown' ? { outcome: 'already', record: {} as never } : settled;
      },
    })),
    'settles nothing that was never added',
  ],
  [
    'loses the reason of a settlement',
    faulty((kept) => ({ settle: (id, { reason: _, ...settlement }, entry) => kept.settle(id, settlement, entry) })),
    'ends a record in every state',
  ],
  [
    'settles no more than twenty at the same time',
    faulty((kept) => {
      let open = 0;
      return {
        async settle(...given) {
          if (open > 20) return { outcome: 'unknown' };
          open += 1;
          return await kept.settle(...given).finally(() => (open -= 1));
        },
      };
    }),
    [
      'settles each of many records at the same time',
      'has what is still being added and settled, once that has resolved',
    ],
  ],
  [
    'has the newest entry first',
    faulty(auditing((all) => all.toReversed())),
    'has an entry for each settlement, in that order',
  ],
  [
    'has an entry for each that would settle',
    faulty((kept) => {
      const second: ApprovalAuditEntry[] = [];
      return {
        async settle(id, settlement, entry) {
          const settled = await kept.settle(id, settlement, entry);
          if (settled.outcome === 'already') second.push(entry);
          return settled;
        },
        audit: (...filter) => entries(kept, (all) => [...all, ...second], ...filter),
      };
    }),
    ['has no entry for a settlement that came second', 'settles what is open once, and what was settled not again'],
  ],
  [
    'has the entries of all sessions',
    faulty((kept) => ({ audit: () => kept.audit() })),
    'has the entries of one session',
  ],
  [
    'returns entries that can be changed',
    faulty((kept) => {
      let first: ApprovalAuditEntry[] | undefined;
      return {
        audit: (...filter) => entries(kept, (all) => (first ??= structuredClone(all)), ...filter),
      };
    }),
    [
      'has an entry for each settlement, in that order',
      'keeps its entries when the caller changes them, or what it returned',
    ],
  ],
  [
    'ignores the fence',
    faulty((kept) => ({ add: (record) => kept.add(record) })),
    [
      'refuses a record under a lower fence than before, and keeps nothing of it',
      'refuses a lower fence, also where its records are settled',
    ],
  ],
  [
    'has one fence for all sessions',
    faulty((kept) => {
      let highest = 0;
      return {
        async add(record, fence = highest) {
          if (fence < highest) throw new SdkError('LEASE_LOST', 'There is a newer lease.');
          highest = fence;
          await kept.add(record, fence);
        },
      };
    }),
    'takes a record of another session under any fence, and one without a fence',
  ],
  [
    'settles nothing that an older lease added',
    faulty((kept) => {
      let newest = 0;
      const added = new Map<string, number>();
      return {
        async add(record, fence) {
          await kept.add(record, fence);
          newest = Math.max(newest, fence ?? 0);
          added.set(record.id, fence ?? 0);
        },
        settle: async (id, ...given) =>
          (added.get(id) ?? newest) < newest ? { outcome: 'unknown' } : await kept.settle(id, ...given),
      };
    }),
    'settles a record that was added under an older fence',
  ],
  [
    'forgets after a restart what is open',
    faulty(none, (kept) => ({
      list: async (filter) => (await kept.list(filter)).filter(({ state }) => state !== 'open'),
    })),
    ['has what was open and what was settled', 'refuses a lower fence, also where its records are settled'],
  ],
  [
    'settles again after a restart',
    faulty(none, (kept) => ({
      async settle(...given) {
        const settled = await kept.settle(...given);
        return settled.outcome === 'already' ? { ...settled, outcome: 'settled' } : settled;
      },
    })),
    'settles what is open once, and what was settled not again',
  ],
  [
    'forgets the last entries',
    faulty(
      none,
      auditing((all) => all.slice(0, 20)),
    ),
    'has what is still being added and settled, once that has resolved',
  ],
  [
    'forgets the fences',
    faulty(none, (kept) => ({ add: (record) => kept.add(record) })),
    'refuses a lower fence, also where its records are settled',
  ],
] as const;

describe('The contract of stores of approvals', () => {
  plantedFaults({ it }, { suite: approvalStoreContract, kept: faulty(none), faults });
});

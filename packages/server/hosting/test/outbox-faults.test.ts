import type { OutboxStore } from '@hexagent/ports';
import { outboxStoreContract, plantedFaults } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryOutbox } from '../src/index.ts';
import { overlapping, stores, type Fault, type Planted } from './faulty-stores.ts';

const faults: readonly Fault<OutboxStore>[] = [
  [
    'stores a uuid twice',
    (kept) => ({
      enqueue: async (message) => {
        await kept.enqueue(message);
        return { kind: 'accepted', number: 1 };
      },
    }),
    [
      'keeps messages in the order in which they were stored, and numbers them',
      'counts the messages of each session, those that are finished too and no duplicate',
      'numbers messages that come at once in the order in which it lists them',
      'stores a uuid once for each session, and returns the state of the first',
      'recognizes the uuid of a finished message',
      'stores one of two that come at once',
      'recognizes the messages that were finished last, and counts all of them',
      'has everything after it was opened again',
      'counts on where everything is finished and it was opened again',
      'numbers the messages of two stores over the same place as those of one',
    ],
  ],
  [
    'marks under any fence',
    (kept) => ({ mark: (message, state) => kept.mark(message, state, 1e9) }),
    [
      'refuses a mark and a delete under a lower fence than before, and stores nothing of it',
      'refuses a lower fence also where another store was given the higher one',
    ],
  ],
  [
    'loses the order',
    (kept) => ({ pending: async (session) => (await kept.pending(session)).toReversed() }),
    [
      'keeps messages in the order in which they were stored, and numbers them',
      'counts the messages of each session, those that are finished too and no duplicate',
      'numbers messages that come at once in the order in which it lists them',
      'has everything after it was opened again',
    ],
  ],
  [
    'counts what is pending',
    (kept) => ({
      enqueue: async (message) => {
        const answer = await kept.enqueue(message);
        const { length } = await kept.pending(message.session);
        return answer.kind === 'accepted' ? { ...answer, number: length } : answer;
      },
    }),
    [
      'counts the messages of each session, those that are finished too and no duplicate',
      'numbers messages that come at once in the order in which it lists them',
      'recognizes the messages that were finished last, and counts all of them',
      'has everything after it was opened again',
      'counts on where everything is finished and it was opened again',
    ],
  ],
  [
    'counts duplicates',
    (kept) => {
      let number = 0;
      return {
        enqueue: async (message) => {
          number += 1;
          const answer = await kept.enqueue(message);
          return answer.kind === 'accepted' ? { ...answer, number } : answer;
        },
      };
    },
    [
      'counts the messages of each session, those that are finished too and no duplicate',
      'numbers messages that come at once in the order in which it lists them',
      'stores a uuid once for each session, and returns the state of the first',
      'has everything after it was opened again',
      'counts on where everything is finished and it was opened again',
      'numbers the messages of two stores over the same place as those of one',
    ],
  ],
  [
    'gives one number to what comes at once',
    (kept) => {
      const enqueue = overlapping(kept.enqueue.bind(kept), ({ session }) => session);
      return {
        async enqueue(message) {
          const { value, isAlone } = await enqueue(message);
          return value.kind === 'duplicate' || isAlone ? value : { ...value, number: 1 };
        },
      };
    },
    'numbers messages that come at once in the order in which it lists them',
  ],
  [
    'loses the priority of a message',
    (kept) => ({
      enqueue: ({ input: { priority: _, ...input }, ...message }) => kept.enqueue({ ...message, input }),
    }),
    'returns what was stored as it was',
  ],
  [
    'takes each duplicate for a finished message',
    (kept) => ({
      async enqueue(message) {
        const answer = await kept.enqueue(message);
        return answer.kind === 'duplicate' ? { ...answer, state: 'completed' } : answer;
      },
    }),
    'stores a uuid once for each session, and returns the state of the first',
  ],
  [
    'takes each duplicate for a queued message',
    (kept) => ({
      async enqueue(message) {
        const answer = await kept.enqueue(message);
        return answer.kind === 'duplicate' ? { ...answer, state: 'queued' } : answer;
      },
    }),
    ['recognizes the uuid of a finished message', 'has everything after it was opened again'],
  ],
  [
    'accepts both of two that come at once',
    (kept) => {
      const enqueue = overlapping(kept.enqueue.bind(kept), ({ session, uuid }) => `${session} ${uuid}`);
      return {
        async enqueue(message) {
          const { value, isAlone } = await enqueue(message);
          return isAlone ? value : { kind: 'accepted', number: 1 };
        },
      };
    },
    'stores one of two that come at once',
  ],
  [
    'finishes a message again',
    (kept) => {
      let last: string | undefined;
      return {
        async mark(message, state, fence) {
          if ((await kept.stateOf(message)) === 'cancelled') last = message.uuid;
          await kept.mark(message, state, fence);
        },
        stateOf: async (message) => (message.uuid === last ? 'completed' : await kept.stateOf(message)),
      };
    },
    'moves a message on, and never back',
  ],
  [
    'throws for a message that it never had',
    (kept) => ({
      async mark(message, state, fence) {
        if ((await kept.stateOf(message)) === undefined) throw new Error('There is no such message.');
        await kept.mark(message, state, fence);
      },
    }),
    [
      'takes a mark for a message it never had without an error',
      'refuses a mark and a delete under a lower fence than before, and stores nothing of it',
    ],
  ],
  [
    'lists first what was stored last',
    (kept) => ({
      async *claimable() {
        const sessions: string[] = [];
        for await (const session of kept.claimable()) sessions.unshift(session);
        yield* sessions;
      },
    }),
    [
      'lists each session that has anything pending, the longest waiting first',
      'has everything after it was opened again',
    ],
  ],
  [
    'lists what is finished',
    (kept) => ({
      async *claimable() {
        yield* kept.claimable();
        yield 'c';
      },
    }),
    [
      'lists each session that has anything pending, the longest waiting first',
      'deletes a session, and no other',
      'has everything after it was opened again',
    ],
  ],
  [
    'deletes under any fence',
    (kept) => ({ delete: (session) => kept.delete(session, 1e9) }),
    'refuses a mark and a delete under a lower fence than before, and stores nothing of it',
  ],
  [
    'deletes nothing',
    () => ({ delete: async () => {} }),
    [
      'refuses a mark and a delete under a lower fence than before, and stores nothing of it',
      'deletes a session, and no other',
    ],
  ],
  [
    'forgets what is done with',
    () => ({ stateOf: async () => undefined }),
    ['moves a message on, and never back', 'recognizes the messages that were finished last, and counts all of them'],
  ],
  [
    'recognizes the last two that were finished',
    (kept) => {
      const finished: string[] = [];
      return {
        async mark(message, state, fence) {
          await kept.mark(message, state, fence);
          if (state === 'completed' || state === 'cancelled') finished.push(message.uuid);
        },
        stateOf: async (message) =>
          finished.slice(0, -2).includes(message.uuid) ? undefined : await kept.stateOf(message),
      };
    },
    'recognizes the messages that were finished last, and counts all of them',
  ],
  [
    'marks nothing',
    () => ({ mark: async () => {} }),
    [
      'counts the messages of each session, those that are finished too and no duplicate',
      'recognizes the uuid of a finished message',
      'moves a message on, and never back',
      'lists each session that has anything pending, the longest waiting first',
      'refuses a mark and a delete under a lower fence than before, and stores nothing of it',
      'recognizes the messages that were finished last, and counts all of them',
      'has everything after it was opened again',
      'refuses a lower fence also where another store was given the higher one',
    ],
  ],
  [
    'has nothing after it was opened again',
    { restarted: () => ({ pending: async () => [] }) },
    [
      'has everything after it was opened again',
      'numbers the messages of two stores over the same place as those of one',
      'refuses a lower fence also where another store was given the higher one',
    ],
  ],
  [
    'counts on from what is pending where it was opened again',
    {
      restarted: (kept) => ({
        async enqueue(message) {
          const answer = await kept.enqueue(message);
          const { length } = await kept.pending(message.session);
          return answer.kind === 'accepted' && length === 1 ? { ...answer, number: 1 } : answer;
        },
      }),
    },
    'counts on where everything is finished and it was opened again',
  ],
  [
    'counts what it has stored itself',
    {
      restarted: (kept) => {
        let last: number | undefined;
        return {
          async enqueue(message) {
            last ??= (await kept.pending(message.session)).at(-1)?.number;
            const answer = await kept.enqueue(message);
            if (last === undefined || answer.kind === 'duplicate') return answer;
            last += 1;
            return { ...answer, number: last };
          },
        };
      },
    },
    'numbers the messages of two stores over the same place as those of one',
  ],
  [
    'does not store the fence',
    { restarted: (kept) => ({ mark: (message, state) => kept.mark(message, state, 0) }) },
    'refuses a lower fence also where another store was given the higher one',
  ],
];

describe('The contract of an outbox', () => {
  plantedFaults<Planted<OutboxStore>>(
    { it },
    {
      suite: (runner, planted) =>
        outboxStoreContract(runner, {
          ...stores(() => new MemoryOutbox({ keepFinished: 3 }), planted),
          keepsFinished: 3,
        }),
      kept: {},
      faults,
    },
  );
});

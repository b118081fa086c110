import type { SessionLog } from '@hexagent/ports';
import { plantedFaults, sessionLogContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryLog } from '../src/index.ts';
import { stores, type Fault, type Planted } from './faulty-stores.ts';

const faults: readonly Fault<SessionLog>[] = [
  [
    'loses the order',
    (kept) => ({ append: (session, facts, fence) => kept.append(session, facts.toReversed(), fence) }),
    [
      'gives a reader what is appended from its call on, in order',
      'keeps a fact as it was, with the code of an error',
      'reads a turn from the first fact since nothing was open',
    ],
  ],
  [
    'begins with the first read',
    (kept) => ({
      async *read(session, from, signal) {
        yield* kept.read(session, from, signal);
      },
    }),
    [
      'gives a reader what is appended from its call on, in order',
      'keeps a fact as it was, with the code of an error',
      'gives each reader every fact, however far another one is',
      'refuses facts under a lower fence than before, and appends none of them',
      'forgets a session that is deleted, and ends its readers',
      'has the turn after it was opened again, and greater places for what follows',
    ],
  ],
  [
    'mixes the sessions',
    (kept) => ({ append: (_, facts, fence) => kept.append('a', facts, fence) }),
    [
      'gives a reader that waits the next fact, and no fact of another session',
      'refuses facts under a lower fence than before, and appends none of them',
    ],
  ],
  [
    'loses whether a message was cut',
    (kept) => ({
      append: (session, facts, fence) =>
        kept.append(
          session,
          facts.map((fact) => (fact.kind === 'accepted' ? { ...fact, isCut: false } : fact)),
          fence,
        ),
    }),
    'keeps a fact as it was, with the code of an error',
  ],
  [
    'ends all readers where one leaves',
    (kept) => {
      const open = new Set<AbortController>();
      return {
        read(session, from, signal) {
          const controller = new AbortController();
          open.add(controller);
          signal?.addEventListener('abort', () => controller.abort());
          if (signal?.aborted) controller.abort();
          const events = kept.read(session, from, controller.signal)[Symbol.asyncIterator]();
          return {
            [Symbol.asyncIterator]: () => ({
              next: () => events.next(),
              async return() {
                for (const each of open) each.abort();
                return { done: true, value: undefined };
              },
            }),
          };
        },
      };
    },
    'gives each reader every fact, however far another one is',
  ],
  [
    'gives no reader what it missed',
    (kept) => ({
      read: (session, from, signal) => kept.read(session, typeof from === 'object' ? 'now' : from, signal),
    }),
    [
      'reads on behind a fact',
      'rejects a reader behind a fact that it does not have',
      'forgets a session that is deleted, and ends its readers',
    ],
  ],
  [
    'ends a reader behind a fact that it does not have',
    (kept) => ({
      read(session, from, signal) {
        const events = kept.read(session, from, signal)[Symbol.asyncIterator]();
        const next = (): ReturnType<typeof events.next> =>
          events.next().catch(() => ({ done: true, value: undefined }));
        return {
          [Symbol.asyncIterator]: () => ({
            next,
            return: async () => (await events.return?.()) ?? { done: true, value: undefined },
          }),
        };
      },
    }),
    ['rejects a reader behind a fact that it does not have', 'forgets a session that is deleted, and ends its readers'],
  ],
  [
    'begins each turn with the next fact',
    (kept) => ({
      read: (session, from, signal) => kept.read(session, from === 'turn' ? 'now' : from, signal),
    }),
    [
      'reads a turn from the first fact since nothing was open',
      'takes a turn, a question and what is held for open',
      'has the turn after it was opened again, and greater places for what follows',
    ],
  ],
  [
    'does not take what is held for open',
    (kept) => ({
      append: (session, facts, fence) =>
        kept.append(
          session,
          facts.map((fact) => (fact.kind === 'held' ? { ...fact, isHeld: false } : fact)),
          fence,
        ),
    }),
    'takes a turn, a question and what is held for open',
  ],
  [
    'ignores the signal of a reader',
    (kept) => ({ read: (session, from) => kept.read(session, from) }),
    'ends a reader whose signal aborts, also one that waits',
  ],
  [
    'ignores the fence',
    (kept) => ({ append: (session, facts) => kept.append(session, facts, 1e9) }),
    [
      'refuses facts under a lower fence than before, and appends none of them',
      'forgets a session that is deleted, and ends its readers',
      'has the turn after it was opened again, and greater places for what follows',
    ],
  ],
  [
    'deletes nothing',
    () => ({ delete: async () => {} }),
    [
      'refuses facts under a lower fence than before, and appends none of them',
      'forgets a session that is deleted, and ends its readers',
    ],
  ],
  [
    'begins with the next fact where it was opened again',
    { restarted: (kept) => ({ read: (session, _, signal) => kept.read(session, 'now', signal) }) },
    'has the turn after it was opened again, and greater places for what follows',
  ],
];

describe('The contract of a log', () => {
  plantedFaults<Planted<SessionLog>>(
    { it },
    {
      suite: (runner, planted) =>
        sessionLogContract(
          runner,
          stores(() => new MemoryLog(), planted),
        ),
      kept: {},
      rounds: 200,
      faults,
    },
  );
});

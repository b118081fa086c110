import type { SessionSignal, SessionSignals } from '@hexagent/ports';
import { plantedFaults, sessionSignalsContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemorySignals } from '../src/index.ts';
import { stores, type Fault, type Planted } from './faulty-stores.ts';

const faults: readonly Fault<SessionSignals>[] = [
  [
    'changes what is sent',
    (kept) => ({ send: (signal) => kept.send({ ...signal, session: signal.session.toUpperCase() }) }),
    [
      'gives each listener what is sent, as it was sent',
      'gives nothing to a listener that has left',
      'reaches the other listeners, and the sender, where one throws',
      'reaches the listeners of another one over the same place, and these reach it',
    ],
  ],
  [
    'adds a field',
    (kept) => ({ send: (signal) => kept.send({ ...signal, at: 1 } as SessionSignal) }),
    'gives each listener what is sent, as it was sent',
  ],
  [
    'mixes up the kinds',
    (kept) => ({ send: (signal) => kept.send({ ...signal, kind: 'wake' }) }),
    [
      'gives each listener what is sent, as it was sent',
      'gives nothing to a listener that has left',
      'reaches the listeners of another one over the same place, and these reach it',
    ],
  ],
  [
    'leaves no listener',
    (kept) => ({
      subscribe: (listener) => {
        kept.subscribe(listener);
        return () => {};
      },
    }),
    'gives nothing to a listener that has left',
  ],
  [
    'gives a signal to the last listener alone',
    (kept) => {
      let last = (): void => {};
      return {
        subscribe: (listener) => {
          last();
          last = kept.subscribe(listener);
          return last;
        },
      };
    },
    ['gives each listener what is sent, as it was sent', 'gives nothing to a listener that has left'],
  ],
  [
    'throws what a listener throws',
    () => {
      const listeners = new Set<(signal: SessionSignal) => void>();
      return {
        send: (signal) => listeners.forEach((listener) => listener(signal)),
        subscribe: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      };
    },
    [
      'reaches the other listeners, and the sender, where one throws',
      'reaches the listeners of another one over the same place, and these reach it',
    ],
  ],
  [
    'throws where there is no listener',
    (kept) => {
      let count = 0;
      return {
        send(signal) {
          if (count === 0) throw new Error('There is no listener.');
          kept.send(signal);
        },
        subscribe(listener) {
          count += 1;
          const stop = kept.subscribe(listener);
          return () => {
            count -= 1;
            stop();
          };
        },
      };
    },
    ['gives nothing to a listener that has left', 'takes a signal for which there is no listener'],
  ],
  [
    'reaches its own listeners alone',
    { restarted: () => new MemorySignals() },
    'reaches the listeners of another one over the same place, and these reach it',
  ],
];

describe('The contract of signals', () => {
  plantedFaults<Planted<SessionSignals>>(
    { it },
    {
      suite: (runner, planted) =>
        sessionSignalsContract(
          runner,
          stores(() => new MemorySignals(), planted),
        ),
      kept: {},
      rounds: 200,
      faults,
    },
  );
});

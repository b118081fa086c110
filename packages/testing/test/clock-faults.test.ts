import type { Clock } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { clockContract, plantedFaults, type ClockFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

const longest = 2 ** 31 - 1;

const spoiled = (change: (clock: HandClock) => Partial<Clock>): ClockFixture => ({
  createClock() {
    const own = new HandClock();
    const clock: Clock = { now: () => own.now(), after: (ms, callback) => own.after(ms, callback), ...change(own) };
    return { clock, pass: (ms) => own.advance(ms) };
  },
});

describe('The contract of clocks', () => {
  plantedFaults(
    { it },
    {
      suite: clockContract,
      kept: spoiled(() => ({})),
      faults: [
        [
          'calls back too early',
          spoiled((own) => ({ after: (ms, callback) => own.after(ms === 1000 ? 999 : ms, callback) })),
          'calls back once, when the delay is over and not before',
        ],
        [
          'cannot be cancelled',
          spoiled((own) => ({
            after(ms, callback) {
              const cancel = own.after(ms, callback);
              return ms === 1000 ? () => {} : cancel;
            },
          })),
          'does not call back after it was cancelled',
        ],
        [
          'takes a long delay for none',
          spoiled((own) => ({
            after: (ms, callback) =>
              own.after(ms > longest && ms !== Infinity && ms !== longest * 2 ? 1 : ms, callback),
          })),
          'waits the full delay where it is too long for a timer of the system',
        ],
        [
          'cannot cancel a long delay',
          spoiled((own) => ({
            after(ms, callback) {
              const cancel = own.after(ms, callback);
              return ms === longest * 2 ? () => {} : cancel;
            },
          })),
          'can cancel such a delay at any time',
        ],
        [
          'takes Infinity for a long delay',
          spoiled((own) => ({ after: (ms, callback) => own.after(ms === Infinity ? longest * 2.9 : ms, callback) })),
          'never calls back after a delay of Infinity',
        ],
        [
          'takes any delay',
          spoiled((own) => ({ after: (ms, callback) => own.after(ms >= 0 ? ms : 0, callback) })),
          'throws unless a delay is valid',
        ],
      ],
    },
  );
});

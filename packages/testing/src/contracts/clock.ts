import { assert } from './assert.ts';
import type { Clock } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** A clock under test, and a way to let its time pass. */
export interface ClockFixture {
  readonly createClock: () => { readonly clock: Clock; readonly pass: (ms: number) => void };
}

/** What every `Clock` promises. */
export function clockContract(runner: Runner, fixture: ClockFixture): void {
  const { describe, it } = limitedRunner('clockContract', runner, fixture);
  describe('Clock contract', () => {
    for (const [name, keep] of Object.entries(promises)) it(name, async () => keep(fixture));
  });
}

const longestTimerMs = 2 ** 31 - 1;

const promises: Readonly<Record<string, (fixture: ClockFixture) => void>> = {
  'calls back once, when the delay is over and not before': (fixture) => {
    const { pass } = startDelay(fixture, 1000);
    assert.deepEqual([pass(999), pass(1), pass(5000)], [0, 1, 1]);
  },

  'does not call back after it was cancelled': (fixture) => {
    const { pass, cancel } = startDelay(fixture, 1000);
    cancel();
    assert.equal(pass(5000), 0);
  },

  'waits the full delay where it is too long for a timer of the system': (fixture) => {
    for (const ms of [longestTimerMs + 1, longestTimerMs * 2 + 3]) {
      const { pass } = startDelay(fixture, ms);
      assert.deepEqual([pass(5000), pass(ms - 5001), pass(1), pass(longestTimerMs)], [0, 0, 1, 1]);
    }
  },

  'can cancel such a delay at any time': (fixture) => {
    const { pass, cancel } = startDelay(fixture, longestTimerMs * 2);
    pass(longestTimerMs + 1);
    cancel();
    assert.equal(pass(longestTimerMs * 2), 0);
  },

  'never calls back after a delay of Infinity': (fixture) => {
    const { pass, cancel } = startDelay(fixture, Infinity);
    assert.equal(pass(longestTimerMs * 3), 0);
    cancel();
  },

  'throws unless a delay is valid': (fixture) => {
    const { clock } = fixture.createClock();
    for (const wrong of [NaN, -1, -Infinity, '5', null, {}]) {
      // An untyped program may pass any value.
      assert.throws(() => clock.after(wrong as number, () => {}), TypeError);
    }
  },
};

interface StartedDelay {
  readonly cancel: () => void;
  /** Lets time pass and returns how often the clock has called back. */
  readonly pass: (ms: number) => number;
}

function startDelay(fixture: ClockFixture, delay: number): StartedDelay {
  const { clock, pass } = fixture.createClock();
  let calls = 0;
  const cancel = clock.after(delay, () => (calls += 1));
  return {
    cancel,
    pass(ms) {
      pass(ms);
      return calls;
    },
  };
}

import { isRecord, kindOf } from '@hexagent/checks';
import type { Runner } from './runner.ts';

/** Not every test runner limits its tests: under `node:test` a promise that is never kept would be waited for for ever. */
const limitMs = 30_000;
/** Taken here, so that a test with timers of its own does not move them. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/**
 * The runner of a suite, whose tests fail when they take too long.
 * @throws {TypeError} for what is not a runner or no fixture, naming the suite.
 */
export function limitedRunner(suite: string, runner: Runner, fixture: object, ms: number = limitMs): Runner {
  if (!isRunner(runner))
    throw new TypeError(`${suite}() takes \`{ describe, it }\` of a test runner first, not ${kindOf(runner)}.`);
  if (!isRecord(fixture)) throw new TypeError(`${suite}() takes a fixture second, not ${kindOf(fixture)}.`);
  const { describe, it } = runner;
  const limited = (name: string, body: () => Promise<void>): unknown => it(name, () => within(ms, body));
  return { describe, it: Object.assign(limited, { skip: it.skip }) };
}

function isRunner(runner: unknown): boolean {
  // What `node:test` exports by default is a function that has both.
  const mayBe = (typeof runner === 'object' && runner !== null) || typeof runner === 'function';
  return mayBe && ['describe', 'it'].every((name) => typeof Reflect.get(runner, name) === 'function');
}

async function within(ms: number, body: () => Promise<void>): Promise<void> {
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const timer = startTimer(() => reject(new Error(`This was not kept within ${ms} ms.`)), ms);
    stop = () => stopTimer(timer);
  });
  try {
    await Promise.race([body(), late]);
  } finally {
    stop();
  }
}

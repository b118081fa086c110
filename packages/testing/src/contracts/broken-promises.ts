import type { Case, Runner } from './runner.ts';

export interface BrokenPromisesOptions {
  /** After how many rounds of the event loop a promise is broken that has not settled. Default: none, so the suite's own limit counts. */
  readonly rounds?: number | undefined;
}

/**
 * Runs a suite without a test runner, all of its tests at the same time, and returns the titles of those that failed. With it
 * a test of a suite plants a fault, and sees that it is found.
 */
export async function brokenPromises(
  run: (runner: Runner) => void,
  { rounds = Infinity }: BrokenPromisesOptions = {},
): Promise<readonly string[]> {
  const cases: (readonly [name: string, body: () => Promise<void>])[] = [];
  const collect: Case = (name, body) => cases.push([name, body]);
  run({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => {} }) });
  const broken = new Set(cases);
  const tests = cases.map(async (each) => {
    await each[1]();
    broken.delete(each);
  });
  await Promise.race([Promise.allSettled(tests), roundsOf(rounds)]);
  return [...broken].map(([name]) => name);
}

async function roundsOf(count: number): Promise<void> {
  if (count === Infinity) return await new Promise(() => {});
  for (let round = 0; round < count; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

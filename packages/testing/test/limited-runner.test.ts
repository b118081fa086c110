import { describe, expect, it } from 'vitest';
import { limitedRunner } from '../src/contracts/limited-runner.ts';
import * as contracts from '@hexagent/testing/contracts';
import type { Runner } from '@hexagent/testing/contracts';

/** A runner that registers tests, and leaves it to the test to run them. */
function registering() {
  const bodies = new Map<string, () => Promise<void>>();
  const register = (name: string, body: () => Promise<void>): void => void bodies.set(name, body);
  const runner: Runner = { describe: (_, body) => body(), it: Object.assign(register, { skip: () => {} }) };
  return { runner, run: async (name: string) => await bodies.get(name)?.() };
}

describe('A test of a suite', () => {
  it('fails when what it waits for never comes', async () => {
    const { runner, run } = registering();
    limitedRunner('suite', runner, {}, 1).it('waits', () => new Promise(() => {}));
    await expect(run('waits')).rejects.toThrow('This was not kept within 1 ms.');
  });

  it('may be registered by a runner that is a function itself', async () => {
    const { runner, run } = registering();
    limitedRunner(
      'suite',
      Object.assign(() => {}, runner),
      {},
    ).it('passes', async () => {});
    await run('passes');
  });

  it('has the outcome of its body otherwise', async () => {
    const { runner, run } = registering();
    const limited = limitedRunner('suite', runner, {});
    limited.it('passes', async () => {});
    limited.it('fails', () => Promise.reject(new Error('Not today.')));
    await run('passes');
    await expect(run('fails')).rejects.toThrow('Not today.');
  });
});

describe('A suite', () => {
  const suites = Object.entries(contracts).filter(([name]) => name.endsWith('Contract'));
  it.each(suites)('throws for anything but a runner and a fixture: %s', (name, suite) => {
    const { runner } = registering();
    const call = suite as (runner: unknown, fixture?: unknown) => void;
    expect(() => call(undefined)).toThrow(
      new TypeError(`${name}() takes \`{ describe, it }\` of a test runner first, not undefined.`),
    );
    expect(() => call({ test: it }, {})).toThrow(TypeError);
    for (const [fixture, kind] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [() => {}, 'a function'],
    ] as const)
      expect(() => call(runner, fixture)).toThrow(new TypeError(`${name}() takes a fixture second, not ${kind}.`));
  });
});

import { assert } from './assert.ts';
import { brokenPromises, type BrokenPromisesOptions } from './broken-promises.ts';
import type { Runner } from './runner.ts';

/** What a part does wrong, the fixture of such a part, and the title of the promise that it breaks, or of all of them. */
export type PlantedFault<Fixture> = readonly [what: string, fixture: Fixture, promise: string | readonly string[]];

/** A suite, and parts that break its promises. */
export interface PlantedFaults<Fixture> extends BrokenPromisesOptions {
  readonly suite: (runner: Runner, fixture: Fixture) => void;
  /** Keeps every promise. */
  readonly kept: Fixture;
  readonly faults: readonly PlantedFault<Fixture>[];
  /** Promises that no planted fault breaks, each with the reason. Default: none. */
  readonly without?: Readonly<Record<string, string>> | undefined;
}

/** The same part, of which the change replaces some members. */
export function withFault<Part extends object>(kept: Part, change: (kept: Part) => Partial<Part>): Part {
  const replaced = change(kept);
  return new Proxy(kept, {
    get(target, name) {
      if (name in replaced) return Reflect.get(replaced, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Tests a suite itself: a part that keeps every promise passes, each fault fails exactly in what it names, and each
 * promise has a title of its own and a fault.
 */
export function plantedFaults<Fixture>(
  { it }: Pick<Runner, 'it'>,
  { suite, kept, faults, without = {}, rounds }: PlantedFaults<Fixture>,
): void {
  const brokenBy = (fixture: Fixture): Promise<readonly string[]> =>
    brokenPromises((runner) => suite(runner, fixture), { rounds });

  for (const [what, fixture, promise] of faults)
    it(`fails one that ${what}`, async () => assert.deepEqual(await brokenBy(fixture), [promise].flat()));

  it('passes one that keeps every promise', async () => assert.deepEqual(await brokenBy(kept), []));

  it('has a fault for each promise', async () => {
    const promises = promisesOf(suite, kept);
    const found = new Set(faults.flatMap(([, , promise]) => promise));
    assert.ok(promises.length > 0, 'the suite tests nothing of the part that keeps every promise');
    assert.equal(new Set(promises).size, promises.length, 'two promises have one title, and would share a fault');
    // A reason that is not needed any more is stale, like one for a title that has changed.
    assert.deepEqual(promises.filter((name) => !found.has(name)).toSorted(), Object.keys(without).toSorted());
  });
}

/** The titles of all tests, skipped ones left out. */
function promisesOf<Fixture>(suite: PlantedFaults<Fixture>['suite'], fixture: Fixture): readonly string[] {
  const names: string[] = [];
  const collect = (name: string): unknown => names.push(name);
  suite({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => {} }) }, fixture);
  return names;
}

import assert from 'node:assert/strict';
import { brokenPromises, plantedFaults, type PlantedFaults, type Runner } from '@hexagent/testing/contracts';
import { expect, it } from 'vitest';

interface Numbers {
  readonly small: number;
  readonly even: number;
}

function suite({ describe, it: promise }: Runner, { small, even }: Numbers): void {
  describe('Numbers', () => {
    promise('has a small one', async () => assert.ok(small < 10));
    promise('has an even one', async () => assert.ok(even % 2 === 0));
  });
}

const kept: Numbers = { small: 1, even: 2 };
const large: PlantedFaults<Numbers>['faults'][number] = ['has a large one', { ...kept, small: 10 }, 'has a small one'];
const odd: PlantedFaults<Numbers>['faults'][number] = ['has an odd one', { ...kept, even: 1 }, 'has an even one'];

it.each<readonly [string, Partial<PlantedFaults<Numbers>>, readonly string[]]>([
  ['faults that are found', {}, []],
  ['a part that keeps a promise less', { kept: { ...kept, even: 1 } }, ['passes one that keeps every promise']],
  ['a fault that is not found', { faults: [large, odd, ['has 3', kept, 'has a small one']] }, ['fails one that has 3']],
  [
    'a fault that breaks more than it names',
    { faults: [large, odd, ['has 11', { small: 11, even: 11 }, 'has a small one']] },
    ['fails one that has 11'],
  ],
  ['a promise without a fault', { faults: [odd] }, ['has a fault for each promise']],
  ['a promise without a fault, and a reason', { faults: [odd], without: { 'has a small one': 'Why.' } }, []],
  [
    'a reason for a promise that is not there',
    { without: { 'has a tiny one': 'Why.' } },
    ['has a fault for each promise'],
  ],
  ['a reason where there is a fault', { without: { 'has a small one': 'Why.' } }, ['has a fault for each promise']],
  [
    'two promises of one title',
    { suite: (runner, numbers) => (suite(runner, numbers), suite(runner, kept)), faults: [large, odd] },
    ['has a fault for each promise'],
  ],
  ['a suite that tests nothing', { suite: () => {}, faults: [] }, ['has a fault for each promise']],
])('plantedFaults() with %s', async (_, change, broken) => {
  const all: PlantedFaults<Numbers> = { suite, kept, faults: [large, odd], ...change };
  expect(await brokenPromises((runner) => plantedFaults(runner, all))).toEqual(broken);
});

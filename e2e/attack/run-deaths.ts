import { Chance } from '../support/chance.ts';
import { agentsKilled, processesStopped, programsKilledEarly, startsAborted, watchdogsKilled } from './deaths.ts';
import type { Finding } from './invariants.ts';

const attacks = { programsKilledEarly, startsAborted, agentsKilled, watchdogsKilled, processesStopped };

/** One death of a program, an agent or a watchdog, at a moment that the seed chooses. */
export async function runDeath(seed: number): Promise<Finding> {
  const chance = new Chance(seed);
  const names = Object.keys(attacks) as (keyof typeof attacks)[]; // of this very object
  const name = chance.oneOf(names);
  const random = (): number => chance.below(2 ** 30) / 2 ** 30;
  const { processes, folders } = await attacks[name]({ runs: 1, atOnce: 1, random });
  return {
    violations: [
      ...processes.map((command) => `${name}: process left: ${command}`),
      ...folders.map((folder) => `${name}: file left: ${folder}`),
    ],
  };
}

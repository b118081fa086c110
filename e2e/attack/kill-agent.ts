import type { ProcessEntry } from '@hexagent/testing/cli';
import type { Chance } from '../support/chance.ts';

/** Kills one of the agents. Returns whether there was one. */
export function killAgent(agents: readonly ProcessEntry[], chance: Chance): boolean {
  if (agents.length === 0) return false;
  try {
    process.kill(chance.oneOf(agents).pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
  return true;
}

import { settledWithin } from '@hexagent/async';
import type { Clock } from '@hexagent/ports';

/** How long a task may take where nothing else is to be waited for. */
const taskMs = 1000;

/** Waits for the task, though not much longer than `withinMs`, and resolves with what is left of that. */
export async function timeLeft(withinMs: number, task: Promise<unknown>, clock: Clock): Promise<number> {
  const began = clock.now();
  await settledWithin(Math.max(withinMs, taskMs), task, clock);
  return Math.max(0, withinMs - (clock.now() - began));
}

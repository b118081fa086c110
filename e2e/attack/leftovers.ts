import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import type { Leftovers } from './invariants.ts';

/** How long what was started may take to be gone, and handles to be let go, after everything has settled. */
const goneMs = 5000;

/** What keeps this process alive and who listens to it, by name, and how often. */
export type Stock = ReadonlyMap<string, number>;

export function takeStock(): Stock {
  const names = process.getActiveResourcesInfo().map((kind) => `active ${kind}`);
  for (const event of process.eventNames()) {
    const name = `listener on process for ${String(event)}`;
    names.push(...Array.from<string>({ length: process.listenerCount(event) }).fill(name));
  }
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
}

export interface RunTrace {
  /** What every process of the run carries in its environment. */
  readonly mark: string;
  /** Temporary files of ours. */
  readonly files: () => readonly string[];
  readonly before: Stock;
  readonly signal: AbortSignal;
}

/** What a run has left behind; resolves as soon as that is nothing. */
export async function leftoversOf({ mark, files, before, signal }: RunTrace): Promise<Leftovers> {
  const scan = (): Leftovers => ({
    processes: processesMentioning(mark).map(({ pid, command }) => `${pid} ${command}`),
    files: files(),
    listeners: getEventListeners(signal, 'abort').map(() => 'on the signal'),
    handles: [...takeStock()].flatMap(([name, times]) => (times > (before.get(name) ?? 0) ? [name] : [])),
  });
  const until = performance.now() + goneMs;
  for (;;) {
    const left = scan();
    if (Object.values(left).every((list) => list.length === 0) || performance.now() > until) return left;
    await delay(10);
  }
}

/** The processes of a run that are not gone in time. */
export async function processesLeft(mark: string): Promise<readonly number[]> {
  return await survivors(
    processesMentioning(mark).map(({ pid }) => pid),
    goneMs,
  );
}

/** Ends what a run has left, so that it disturbs no other. */
export function endLeftovers(mark: string): void {
  for (const { pid } of processesMentioning(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
}

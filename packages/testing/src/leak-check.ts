import { AssertionError } from 'node:assert';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, processes } from './cli/processes.ts';

export interface LeakCheckOptions {
  /** Signals of the test on which no listener may be left. */
  readonly signals?: readonly AbortSignal[] | undefined;
  /** What the names of our files in the system's folder for temporary files begin with. Default `hexagent-`. */
  readonly temporaryPrefix?: string | undefined;
  /** How long to wait until nothing is left. Default 10 s; a check that finds nothing does not wait. */
  readonly withinMs?: number | undefined;
}

export interface LeakCheck {
  /** Descriptions of what is there now and was not there before; empty when there is nothing. */
  leftovers(): readonly string[];
  /** Resolves as soon as nothing is left. @throws {AssertionError} with a list of what is left. */
  verify(): Promise<void>;
}

/**
 * Records the state of this process: its active resources, child processes, open files, listeners on `process` and on
 * `signals`, and our temporary files. Does not affect the work in between, and needs no test runner.
 * @example
 * const leaks = leakCheck();
 * await work();
 * await leaks.verify();
 */
export function leakCheck(options: LeakCheckOptions = {}): LeakCheck {
  const { withinMs = 10_000 } = options;
  // Opened when they are first read: by the first `console.log()`, which is not a leak.
  for (const output of ['stdout', 'stderr']) Reflect.get(process, output);
  const before = takeSnapshot(options);
  const leftovers = (): readonly string[] => compare(before, takeSnapshot(options));
  return {
    leftovers,
    async verify() {
      const deadline = performance.now() + withinMs;
      let left = leftovers();
      while (left.length > 0 && performance.now() < deadline) {
        await sleep(20); // there is no event for the end of a handle or of a process that is not our child
        left = leftovers();
      }
      if (left.length === 0) return;
      const list = left.map((one) => `- ${one}`).join('\n');
      throw new AssertionError({ message: `Still there after ${withinMs} ms:\n${list}`, actual: left, expected: [] });
    },
  };
}

/** How often each resource exists, by name. */
type Snapshot = ReadonlyMap<string, number>;

function takeSnapshot(options: LeakCheckOptions): Snapshot {
  return count([
    ...process.getActiveResourcesInfo().map((kind) => `active resource ${kind}`),
    ...children(),
    ...openFiles(),
    ...processListeners(),
    ...signalListeners(options.signals ?? []),
    ...temporaryFiles(options.temporaryPrefix ?? 'hexagent-'),
  ]);
}

function compare(before: Snapshot, now: Snapshot): string[] {
  const left: string[] = [];
  for (const [name, times] of now) {
    const more = times - (before.get(name) ?? 0);
    if (more > 0) left.push(more === 1 ? name : `${more} × ${name}`);
  }
  return left;
}

function count(names: readonly string[]): Snapshot {
  const snapshot = new Map<string, number>();
  for (const name of names) snapshot.set(name, (snapshot.get(name) ?? 0) + 1);
  return snapshot;
}

function children(): string[] {
  const mine = new Set(descendants(process.pid));
  // `ps`, which may list them, is a child as well, and has ended by now.
  const alive = processes().filter(({ pid, command }) => mine.has(pid) && !command.startsWith('ps -A'));
  return alive.map(({ pid, command }) => `child process ${pid}: ${command.slice(0, 120)}`);
}

function openFiles(): string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  const files: string[] = [];
  for (const fd of readdirSync(folder)) {
    try {
      const target = readlinkSync(`${folder}/${fd}`);
      if (!target.startsWith('/proc/')) files.push(`open file ${fd}: ${target}`);
    } catch {
      // Closed meanwhile, such as the descriptor that listed the folder.
    }
  }
  return files;
}

function processListeners(): string[] {
  return process.eventNames().flatMap((event) => {
    const name = `listener on process for ${String(event)}`;
    return Array.from<string>({ length: process.listenerCount(event) }).fill(name);
  });
}

function signalListeners(signals: readonly AbortSignal[]): string[] {
  return signals.flatMap((signal, index) =>
    getEventListeners(signal, 'abort').map(() => `listener on signal ${index + 1}`),
  );
}

function temporaryFiles(prefix: string): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(prefix))
    .map((name) => `temporary file ${name}`);
}

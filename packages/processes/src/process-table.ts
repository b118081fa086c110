import { uptime } from 'node:os';
import * as proc from './proc.ts';
import type { MarkedProcess, ProcessEntry } from './process-entry.ts';
import { entriesFromPs, markedFromPs } from './ps.ts';

/** Lists the processes of this machine. Never rejects: the list is empty where it cannot be read. */
export interface ProcessTable {
  /** All processes. Callers in the same turn share one reading. */
  all(): Promise<readonly ProcessEntry[]>;
  /** Processes that carry the mark of any program. Shared in the same way. */
  marked(): Promise<readonly MarkedProcess[]>;
  /** A process and its descendants, and perhaps others. */
  family(pid: number): Promise<readonly ProcessEntry[]>;
  /** The same without waiting; absent where nothing can be read at once. */
  readonly now?: ProcessTableNow;
}

export interface ProcessTableNow {
  all(): readonly ProcessEntry[];
  marked(): readonly MarkedProcess[];
  /** The descendants of a process; empty where the system does not list the children of a process. */
  descendants(pid: number): readonly ProcessEntry[];
  /** How many seconds the machine has run; it also counts while the machine sleeps. */
  uptime(): number;
  entry(pid: number): ProcessEntry | undefined;
  /** The part of its environment that a shell sets anew; `undefined` when it cannot be read. */
  shell(pid: number): string | undefined;
}

const tables = new Map<NodeJS.Platform, ProcessTable>();

/** One table for all programs, so that programs that end together share a reading. */
export function processTable(platform: NodeJS.Platform): ProcessTable {
  const table = tables.get(platform) ?? (platform === 'linux' ? linuxTable() : psTable());
  tables.set(platform, table);
  return table;
}

function linuxTable(): ProcessTable {
  const all = shared(() => proc.readInSlices(proc.readEntry));
  // Where the system lists the children of a process, a machine with many processes takes no longer.
  const family = (pid: number): readonly ProcessEntry[] | undefined =>
    proc.listsChildren() ? proc.readFamily(pid) : undefined;
  return {
    all,
    marked: shared(() => proc.readInSlices(proc.readMarked)),
    family: async (pid) => family(pid) ?? (await all()),
    now: {
      all: () => proc.readNow(proc.readEntry),
      marked: () => proc.readNow(proc.readMarked),
      descendants: (pid) => (proc.listsChildren() ? proc.readDescendants(pid) : []),
      uptime,
      entry: proc.readEntry,
      shell: proc.readShellOf,
    },
  };
}

function psTable(): ProcessTable {
  const all = shared(entriesFromPs);
  return { all, marked: shared(markedFromPs), family: all };
}

function shared<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let coming: Promise<readonly T[]> | undefined;
  return () => {
    coming ??= new Promise((resolve) => {
      setImmediate(() => {
        coming = undefined; // a later caller needs a newer list
        read().then(resolve, () => resolve([]));
      });
    });
    return coming;
  };
}

/**
 * When a running process of this machine began, as the system writes it: a number that was given out again began at
 * another time. `undefined` for one that does not run, and where the system shows nothing.
 */
export async function processBegan(pid: number): Promise<string | undefined> {
  const table = processTable(process.platform);
  if (table.now !== undefined) return table.now.entry(pid)?.began;
  return (await table.all()).find((entry) => entry.pid === pid)?.began;
}

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One running process. What has ended and only waits to be collected is not in the table. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it began, in the system's own words: a number that was given out again begins at another time. */
  readonly began: string;
}

/** Reads what runs on this machine. Never rejects: where nothing can be read, nothing is known. */
export type ProcessTable = () => Promise<readonly ProcessEntry[]>;

/** Closers of the same moment share one reading. */
export function processTable(platform: NodeJS.Platform): ProcessTable {
  const read = platform === 'linux' ? fromProc : fromPs;
  let coming: Promise<readonly ProcessEntry[]> | undefined;
  return () => {
    coming ??= new Promise((resolve) => {
      setImmediate(() => {
        coming = undefined;
        read().then(resolve, () => resolve([]));
      });
    });
    return coming;
  };
}

/** Small images have no `ps`, so Linux is asked itself. */
async function fromProc(): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').then(parseStat, () => undefined)), // it ended meanwhile
  );
  return entries.filter((entry) => entry !== undefined);
}

/** The name of a program may hold spaces and parentheses, so the fields are counted from behind its last one. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  if (/^[ZX]/.test(state)) return undefined;
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), group: Number(group), began };
}

async function fromPs(): Promise<readonly ProcessEntry[]> {
  // Dates are compared, so they are asked for in one language.
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state=,lstart='], {
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return parsePs(stdout);
}

export function parsePs(listing: string): readonly ProcessEntry[] {
  return listing.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...began] = line.trim().split(/\s+/);
    if (pid === '' || state === undefined || /^[ZX]/.test(state)) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), began: began.join(' ') }];
  });
}

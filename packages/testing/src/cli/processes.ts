import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Every running process, without zombies. */
export function processes(): readonly ProcessEntry[] {
  return hasProc ? fromProc() : fromPs();
}

/** The children of a process, their children, and so on. Empty once `pid` itself has ended: call it before. */
export function descendants(pid: number): readonly number[] {
  const all = processes();
  const found: number[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = all.filter((entry) => entry.parent === parent).map((entry) => entry.pid);
    found.push(...children);
    parents.push(...children);
  }
  return found;
}

export function isAlive(pid: number): boolean {
  return hasProc ? procEntry(pid) !== undefined : processes().some((entry) => entry.pid === pid);
}

/** Processes, other than this one, with `marker` in their command line or (Linux only) in the environment they started with. */
export function processesMentioning(marker: string): readonly ProcessEntry[] {
  return processes().filter(({ pid, command }) => {
    if (pid === process.pid) return false;
    return command.includes(marker) || (hasProc && (read(pid, 'environ') ?? '').includes(marker));
  });
}

/** Waits at most `withinMs` until all these processes have ended, and returns those that still run. */
export async function survivors(pids: readonly number[], withinMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const alive = new Set(processes().map((entry) => entry.pid));
    const left = pids.filter((pid) => alive.has(pid));
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(10); // the end of a process that is not our child can only be polled
  }
}

function fromProc(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => procEntry(Number(name)))
    .filter((entry) => entry !== undefined);
}

function procEntry(pid: number): ProcessEntry | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  // `pid (name) state parent …`; the name may hold spaces and brackets, so reading starts behind its last one.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), command: (read(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim() };
}

function read(pid: number, file: 'stat' | 'cmdline' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // it has ended, or belongs to another user
  }
}

function fromPs(): readonly ProcessEntry[] {
  const listing = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return parsePs(listing);
}

/** Exported for its test, since Linux uses `/proc`. */
export function parsePs(listing: string): readonly ProcessEntry[] {
  return listing
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter(([, , , state]) => state?.startsWith('Z') !== true)
    .map(([, pid, parent, , command = '']) => ({ pid: Number(pid), parent: Number(parent), command }));
}

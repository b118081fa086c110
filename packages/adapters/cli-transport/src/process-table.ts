import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** One running process. What has ended and only waits to be collected does not count. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it began, in the system's own words: a number that was given out again began at another time. */
  readonly began: string;
}

/** Reads what runs on this machine. Never rejects: where nothing can be read, nothing is known. */
export interface ProcessTable {
  /** Everything. Those who ask at the same moment share one reading. */
  all(): Promise<readonly ProcessEntry[]>;
  /** A process and its descendants, and perhaps others: as much as is cheap. */
  family(pid: number): Promise<readonly ProcessEntry[]>;
}

export function processTable(platform: NodeJS.Platform): ProcessTable {
  const all = shared(platform === 'linux' ? fromProc : fromPs);
  // Most kernels list the children of a process; then the cost does not grow with the machine.
  const listsChildren = (): boolean => platform === 'linux' && existsSync('/proc/thread-self/children');
  return { all, family: (pid) => (listsChildren() ? familyFromProc(pid).catch(() => []) : all()) };
}

function shared(read: () => Promise<readonly ProcessEntry[]>): () => Promise<readonly ProcessEntry[]> {
  let coming: Promise<readonly ProcessEntry[]> | undefined;
  return () => {
    coming ??= new Promise((resolve) => {
      setImmediate(() => {
        coming = undefined; // who asks from now on wants to see what has changed since
        read().then(resolve, () => resolve([]));
      });
    });
    return coming;
  };
}

/** Small images have no `ps`, so Linux is asked itself. */
async function fromProc(): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(entryFromProc))).filter((entry) => entry !== undefined);
}

async function familyFromProc(root: number): Promise<readonly ProcessEntry[]> {
  const family: ProcessEntry[] = [];
  for (let generation = [root]; generation.length > 0;) {
    const [entries, children] = await Promise.all([
      Promise.all(generation.map(entryFromProc)),
      Promise.all(generation.map(childrenFromProc)),
    ]);
    family.push(...entries.filter((entry) => entry !== undefined));
    generation = children.flat();
  }
  return family;
}

/** Each thread has its own children. */
async function childrenFromProc(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

/** `undefined` when it has ended. */
async function entryFromProc(pid: number): Promise<ProcessEntry | undefined> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
}

function parseStat(stat: string): ProcessEntry | undefined {
  // The name of a program may hold spaces and parentheses, so the fields are counted from behind its last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group] = fields;
  const began = fields[19];
  if (began === undefined || isOver(state)) return undefined;
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), group: Number(group), began };
}

async function fromPs(): Promise<readonly ProcessEntry[]> {
  // Dates are compared, so they are asked for in one language.
  const options = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 };
  return await new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state=,lstart='], options, (error, stdout) =>
      resolve(error === null ? parsePs(stdout) : []),
    );
  });
}

function parsePs(listing: string): readonly ProcessEntry[] {
  return listing.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...began] = line.trim().split(/\s+/);
    if (state === undefined || isOver(state)) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), began: began.join(' ') }];
  });
}

function isOver(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}

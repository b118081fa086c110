import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { readOrigin, readShell } from './process-mark.ts';
import type { MarkedProcess, ProcessEntry } from './process-entry.ts';

// Linux. Small images have no `ps`, so the kernel is asked itself: synchronously, since nothing here waits for a disk, and in
// slices, so that many processes do not block the event loop.

/** About 2 ms of work. */
const sliceLength = 256;
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

export async function readInSlices<T>(read: (pid: number) => T | undefined): Promise<readonly T[]> {
  const pids = listPids();
  const found: T[] = [];
  for (let start = 0; start < pids.length; start += sliceLength) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    found.push(...readEach(pids.slice(start, start + sliceLength), read));
  }
  return found;
}

export function readNow<T>(read: (pid: number) => T | undefined): readonly T[] {
  return readEach(listPids(), read);
}

export function readEntry(pid: number): ProcessEntry | undefined {
  return parseStat(readBytes(`/proc/${pid}/stat`, 'at once').toString('latin1'));
}

export function readMarked(pid: number): MarkedProcess | undefined {
  const environment = readBytes(`/proc/${pid}/environ`, 'at once');
  if (!environment.includes('HEXAGENT_AGENT=') && !environment.includes('CLAUDE_PID=')) return undefined;
  const origin = readOrigin(environment.toString('latin1'));
  const entry = readEntry(pid);
  if (origin === undefined || entry === undefined) return undefined;
  // In a container seen from outside, the same number is another program's.
  return { ...entry, origin: isOfOurNamespace(pid) ? origin : { ...origin, startedBy: undefined } };
}

/** `undefined` when it has ended, or belongs to another user. */
export function readShellOf(pid: number): string | undefined {
  const environment = readBytes(`/proc/${pid}/environ`, 'at once');
  return environment.length === 0 ? undefined : readShell(environment.toString('latin1'));
}

let hasChildren: boolean | undefined;

/** Most kernels do; which one it is does not change while this process runs. */
export function listsChildren(): boolean {
  hasChildren ??= existsSync('/proc/thread-self/children');
  return hasChildren;
}

/** A process and its descendants. */
export function readFamily(root: number): readonly ProcessEntry[] {
  return [...readEach([root], readEntry), ...readDescendants(root)];
}

export function readDescendants(root: number): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (let generation = readChildren(root); generation.length > 0; generation = generation.flatMap(readChildren)) {
    found.push(...readEach(generation, readEntry));
  }
  return found;
}

/** Each thread has its own children. */
function readChildren(pid: number): number[] {
  return listFolder(`/proc/${pid}/task`).flatMap((thread) =>
    readBytes(`/proc/${pid}/task/${thread}/children`, 'in pages')
      .toString('latin1')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

function listPids(): readonly number[] {
  return listFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readEach<T>(pids: readonly number[], read: (pid: number) => T | undefined): T[] {
  return pids.map(read).filter((found) => found !== undefined);
}

function isOfOurNamespace(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid');
  } catch {
    return false; // it has ended
  }
}

/** The field behind the name with the start time of the process. */
const beganField = 19;

function parseStat(stat: string): ProcessEntry | undefined {
  // The name of a program may hold spaces and parentheses, so the fields are counted from behind its last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', beganField + 1);
  const [state = '', parent, group, session] = fields;
  const began = fields[beganField];
  if (began === undefined || hasEnded(state)) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    began,
  };
}

export function hasEnded(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * Empty when the process has ended, or belongs to another user. What is returned is overwritten by the next call.
 * @param arrival a list comes in pages, of which only an empty one is the last; all else is read at once, if there is room
 */
function readBytes(path: string, arrival: 'at once' | 'in pages'): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let length = 0;
    for (let isMore = true; isMore;) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      length += read;
      isMore = arrival === 'in pages' && read > 0 && length < buffer.length;
    }
    return length < buffer.length ? buffer.subarray(0, length) : readFileSync(path);
  } catch {
    return buffer.subarray(0, 0);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

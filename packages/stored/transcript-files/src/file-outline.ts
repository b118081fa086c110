import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isConversationType } from '@hexagent/checks';
import type { Outline, OutlineRequest, TranscriptEntry } from '@hexagent/ports';
import { parseEntry, typeByBeginning } from './entries.ts';
import { linesIn, splitLines } from './lines.ts';

/** How much of the beginning and of the end is read. More is read only to find the first prompt. */
const windowBytes = 64 * 1024;

/** Nothing of them is kept after a file was read, so all files share one buffer. */
const memory = { head: Buffer.alloc(2 * windowBytes), tail: Buffer.alloc(windowBytes) };

/**
 * What a list shows of a transcript, from the beginning and the end of its file. Both are read synchronously, and others run
 * between two files: so thousands of files take no more memory than one.
 * @param size as it was listed: what is written meanwhile belongs to a later time of change
 */
export async function outlineOfFile(path: string, size: number, request: OutlineRequest): Promise<Outline> {
  await setImmediate();
  const { entries, isComplete, next, newest } = readWindows(path, size, request);
  if (!isComplete) await readOn(path, next, entries, request);
  return { first: entries, newest };
}

function readWindows(
  path: string,
  size: number,
  request: OutlineRequest,
): First & { next: number } & Pick<Outline, 'newest'> {
  const file = openSync(path, 'r');
  try {
    const isWhole = size <= memory.head.length;
    const head = splitLines(readSyncAt(file, memory.head.subarray(0, isWhole ? size : windowBytes), 0));
    const unfinished = isWhole ? undefined : head.pop();
    const newest = new Newest(request.newest);
    // The first line there may be the rest of one.
    if (!isWhole) newest.addFrom(splitLines(readSyncAt(file, memory.tail, size - windowBytes)).slice(1));
    // What was noted at the beginning and never again counts too.
    newest.addFrom(head);
    const { entries, isComplete } = firstOf(head, request);
    const next = windowBytes - (unfinished?.length ?? 0);
    return { entries, isComplete: isComplete || unfinished === undefined, next, newest: newest.inOrder() };
  } finally {
    closeSync(file);
  }
}

const readSyncAt = (file: number, room: Buffer, place: number): Buffer =>
  room.subarray(0, readSync(file, room, 0, room.length, place));

interface First {
  readonly entries: TranscriptEntry[];
  readonly isComplete: boolean;
}

function firstOf(lines: readonly Buffer[], { isEnough }: OutlineRequest): First {
  const entries: TranscriptEntry[] = [];
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry === undefined) continue;
    entries.push(entry);
    if (isEnough(entry)) return { entries, isComplete: true };
  }
  return { entries, isComplete: false };
}

/** The beginning of the conversation may lie behind lines of any length. */
async function readOn(
  path: string,
  from: number,
  entries: TranscriptEntry[],
  { isEnough }: OutlineRequest,
): Promise<void> {
  for await (const lines of linesIn(path, from))
    for (const { bytes } of lines) {
      const entry = parseEntry(bytes);
      if (entry === undefined) continue;
      entries.push(entry);
      if (isEnough(entry)) return;
    }
}

/** The newest entry of each type that is asked for, and the newest that names a branch. */
class Newest {
  /** The newest first. */
  readonly #found = new Set<TranscriptEntry>();
  readonly #missing: Set<string>;
  #hasBranch = false;

  constructor(types: readonly string[]) {
    this.#missing = new Set(types);
  }

  /** Adds what is missing: of lines that were written before those that were added. */
  addFrom(lines: readonly Buffer[]): void {
    for (const line of lines.toReversed()) {
      if (!this.#mayMatter(line)) continue;
      const entry = parseEntry(line);
      if (entry === undefined) continue;
      const { type, gitBranch } = entry;
      const namesBranch = !this.#hasBranch && typeof gitBranch === 'string' && gitBranch !== '';
      if (namesBranch) this.#hasBranch = true;
      if (this.#missing.delete(type) || namesBranch) this.#found.add(entry);
    }
  }

  inOrder(): readonly TranscriptEntry[] {
    return [...this.#found].toReversed();
  }

  /** By its beginning: a list of thousands of sessions passes over a hundred thousand lines. */
  #mayMatter(line: Buffer): boolean {
    const type = typeByBeginning(line);
    if (type === undefined) return this.#missing.size > 0 || !this.#hasBranch;
    return isConversationType(type) ? !this.#hasBranch : this.#missing.has(type);
  }
}

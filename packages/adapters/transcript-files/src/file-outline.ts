import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Outline, OutlineRequest, TranscriptEntry } from '@hexagent/ports';
import { cutEntry } from './cut-entry.ts';
import { isText, newline, quote, startOfEntry } from './json-bytes.ts';
import { LineReader } from './line-reader.ts';
import { parseEntry } from './parse-entry.ts';
import { typeAt } from './scan-line.ts';
import { isTurnOver, takeTurns } from './take-turns.ts';

/** So much of the beginning and of the end is scanned; beyond that, only for how the conversation began. */
const windowBytes = 64 * 1024;
/** Of a longer line only the beginning is read. */
const longestLine = 1024 * 1024;
/** Copies of what was sent to the model, and of files: the bulk of a transcript, and nothing that a list shows. */
const bulk = ['{"type":"api-request', '{"type":"file-history'];

/** Both windows of one file. Nothing of them is held once the file was scanned, so one memory serves all files. */
const windows = { head: Buffer.alloc(2 * windowBytes), tail: Buffer.alloc(windowBytes) };

/**
 * What a list shows of a transcript, from the beginning and the end of its file. The windows are read at once: to hand so
 * little to another thread and back takes three times as long as reading it.
 * @param size as it was listed: what is written meanwhile belongs to a later time of change
 */
export async function outlineOfFile(path: string, size: number, request: OutlineRequest): Promise<Outline> {
  if (isTurnOver()) await takeTurns();
  const { first, isComplete, next, newest } = readWindows(path, size, request);
  if (!isComplete) await readOn(path, next, first, request);
  return { first, newest };
}

function readWindows(path: string, size: number, request: OutlineRequest): Beginning & Pick<Outline, 'newest'> {
  const file = openSync(path, 'r');
  try {
    const isWhole = size <= 2 * windowBytes;
    const head = readWindow(file, windows.head, 0, isWhole ? size : windowBytes);
    const tail = isWhole ? head : readWindow(file, windows.tail, size - windowBytes, windowBytes);
    const beginning = beginningOf(head, size, request);
    const found = new Map<string, TranscriptEntry>();
    addNewest(found, tail, request.newest);
    // What was noted at the beginning and never again counts too.
    if (!isWhole) addNewest(found, head, request.newest);
    // Each was found before those that were written before it.
    return { ...beginning, newest: [...found.values()].toReversed() };
  } finally {
    closeSync(file);
  }
}

/** A part of a file, and where it begins there. */
interface Window {
  readonly bytes: Buffer;
  readonly place: number;
}

function readWindow(file: number, bytes: Buffer, place: number, length: number): Window {
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(file, bytes, filled, length - filled, place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: bytes.subarray(0, filled), place };
}

interface Beginning {
  readonly first: TranscriptEntry[];
  readonly isComplete: boolean;
  /** Where the first line begins that was not read. */
  readonly next: number;
}

function beginningOf({ bytes }: Window, fileSize: number, { isEnough }: OutlineRequest): Beginning {
  const first: TranscriptEntry[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(newline, start);
    if (found === -1 && bytes.length < fileSize) break;
    const end = found === -1 ? bytes.length : found;
    const entryStart = startOfEntry(bytes, start, end);
    const entry = isBulk(bytes, entryStart, end)
      ? firstBulk(first, bytes, entryStart, end)
      : parseEntry(bytes, entryStart, end);
    start = end + 1;
    if (entry === undefined) continue;
    first.push(entry);
    if (isEnough(entry)) return { first, isComplete: true, next: start };
  }
  return { first, isComplete: start >= fileSize, next: start };
}

const isBulk = (bytes: Buffer, start: number, end: number): boolean =>
  bulk.some((prefix) => isTextAt(bytes, start, end, prefix));

/** The first entry decides whose transcript it is, so it is there without what it holds. */
function firstBulk(
  first: readonly TranscriptEntry[],
  bytes: Buffer,
  start: number,
  end: number,
): TranscriptEntry | undefined {
  if (first.length > 0) return undefined;
  const type = start + typeFirst.length;
  const typeEnd = bytes.indexOf(quote, type);
  return typeEnd === -1 || typeEnd > end ? undefined : { type: bytes.toString('latin1', type, typeEnd) };
}

/** The beginning of the conversation may lie behind lines of any length. */
async function readOn(
  path: string,
  from: number,
  first: TranscriptEntry[],
  { isEnough }: OutlineRequest,
): Promise<void> {
  const search = { isComplete: false };
  const add = (entry: TranscriptEntry | undefined): void => {
    if (entry === undefined || search.isComplete) return;
    first.push(entry);
    search.isComplete = isEnough(entry);
  };
  const file = await open(path);
  const reader = new LineReader(file, {
    from,
    isUnneeded: (bytes, start, end) => {
      if (isBulk(bytes, start, end)) {
        add(firstBulk(first, bytes, start, end));
        return true;
      }
      if (end - start < longestLine) return false;
      add(cutEntry(bytes, start, start + windowBytes));
      return true;
    },
  });
  const receive = (bytes: Buffer, start: number, end: number): void => {
    if (search.isComplete) return;
    add(isBulk(bytes, start, end) ? firstBulk(first, bytes, start, end) : parseEntry(bytes, start, end));
  };
  try {
    while (!search.isComplete && (await reader.read(receive)));
  } finally {
    await file.close();
  }
}

const anyBranch = 'gitBranch';

/** Adds what is missing of these, from the end on: the newest entry of each type, and the newest that names a branch. */
function addNewest(found: Map<string, TranscriptEntry>, { bytes, place }: Window, types: readonly string[]): void {
  if (found.has(anyBranch) && types.every((type) => found.has(type))) return;
  // Nothing is made of what is passed over: in a list of thousands of sessions, that is a hundred thousand lines.
  for (let next = bytes.at(-1) === newline ? bytes.length : bytes.length + 1; next > 0;) {
    const end = next - 1;
    const lineStart = end === 0 ? 0 : bytes.lastIndexOf(newline, end - 1) + 1;
    // The first one may be the rest of a line.
    if (lineStart === 0 && place > 0) return;
    next = lineStart;
    const start = startOfEntry(bytes, lineStart, end);
    if (isKnown(bytes, start, end, found, types)) continue;
    const entry = parseEntry(bytes, start, end);
    if (entry === undefined) continue;
    if (types.includes(entry.type) && !found.has(entry.type)) found.set(entry.type, entry);
    const branch = entry[anyBranch];
    if (typeof branch === 'string' && branch !== '' && !found.has(anyBranch)) found.set(anyBranch, entry);
  }
}

const typeFirst = '{"type":"';
const parentFirst = '{"parentUuid"';

const isTextAt = (bytes: Buffer, start: number, end: number, text: string): boolean =>
  end - start >= text.length && isText(bytes, start, start + text.length, text);

/** Whether the beginning of a line shows that nothing in it would be new. */
function isKnown(
  bytes: Buffer,
  start: number,
  end: number,
  found: ReadonlyMap<string, TranscriptEntry>,
  types: readonly string[],
): boolean {
  const type = start + typeFirst.length;
  const isTypeFirst = type < end && isText(bytes, start, type, typeFirst);
  const typeEnd = isTypeFirst ? bytes.indexOf(quote, type) : -1;
  // Messages begin with their parent. Of what begins with something else, the type is known once it was read.
  if (!isTypeFirst && !isTextAt(bytes, start, end, parentFirst)) return false;
  if (typeEnd === -1 || typeEnd > end || typeAt(bytes, type, typeEnd) !== undefined) return found.has(anyBranch);
  for (const name of types) if (isText(bytes, type, typeEnd, name)) return found.has(name);
  return true;
}

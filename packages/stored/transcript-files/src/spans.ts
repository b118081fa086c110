import { open, type FileHandle } from 'node:fs/promises';
import type { EntryHead, IndexedEntry } from '@hexagent/ports';
import { parseEntry } from './entries.ts';
import { readAt } from './lines.ts';

/** So much is read at once where entries lie close to each other. */
const windowBytes = 512 * 1024;

/** Where the line of an entry is in its file. */
export interface Span {
  readonly head: EntryHead;
  readonly place: number;
  readonly size: number;
}

/** Reads the entries of these lines. Lines that lie close to each other are read at once. */
export async function* entriesAt(
  path: string,
  spans: Iterable<Span>,
): AsyncGenerator<readonly IndexedEntry[], void, undefined> {
  const file = await open(path);
  try {
    let window: Span[] = [];
    for (const span of spans) {
      if (!fitsBehind(window, span)) {
        yield await readWindow(file, window);
        window = [];
      }
      window.push(span);
    }
    if (window.length > 0) yield await readWindow(file, window);
  } finally {
    await file.close();
  }
}

function fitsBehind(window: readonly Span[], { place, size }: Span): boolean {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return true;
  return place > last.place && place + size - first.place <= windowBytes;
}

async function readWindow(file: FileHandle, window: readonly Span[]): Promise<readonly IndexedEntry[]> {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = first.place;
  const bytes = await readAt(file, Buffer.allocUnsafeSlow(last.place + last.size - start), start);
  return window.flatMap(({ head, place, size }) => {
    const line = bytes.subarray(place - start, place - start + size);
    // Shorter where the file was cut off meanwhile.
    const entry = line.length === size ? parseEntry(line) : undefined;
    return entry === undefined ? [] : [[head, entry]];
  });
}

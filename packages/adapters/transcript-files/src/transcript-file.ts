import { open, type FileHandle } from 'node:fs/promises';
import type { EntryHead, Transcript, TranscriptEntry } from '@hexagent/ports';
import { LineReader } from './line-reader.ts';
import { parseEntry, parseMessage } from './parse-entry.ts';
import { isBookkeeping, scanHead } from './scan-head.ts';

/** So much is read at once where entries lie close to each other. */
const windowBytes = 512 * 1024;

/** One transcript on disk. Each reading opens the file anew, and closes it when it ends or is left. */
export class TranscriptFile implements Transcript {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async *heads(): AsyncGenerator<readonly EntryHead[], void, undefined> {
    const file = await open(this.path);
    try {
      const { size } = await file.stat();
      const reader = new LineReader(file, { fileSize: size, isUnneeded: isBookkeeping });
      let heads: EntryHead[] = [];
      const receive = (bytes: Buffer, start: number, end: number, place: number): void => {
        const head = scanHead(bytes, start, end, place);
        if (head !== undefined) heads.push(head);
      };
      while (await reader.read(receive)) {
        if (heads.length > 0) yield heads;
        heads = [];
      }
    } finally {
      await file.close();
    }
  }

  async *entriesOf(
    heads: readonly EntryHead[],
    { onlyMessages = false }: { readonly onlyMessages?: boolean | undefined } = {},
  ): AsyncGenerator<readonly (TranscriptEntry | undefined)[], void, undefined> {
    const file = await open(this.path);
    try {
      for (let next = 0; next < heads.length;) {
        const count = countTogether(heads, next);
        const some = heads.slice(next, next + count);
        yield await readEntries(file, some, onlyMessages ? parseMessage : parseEntry);
        next += count;
      }
    } finally {
      await file.close();
    }
  }

  async *entries(): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
    const file = await open(this.path);
    try {
      const { size } = await file.stat();
      const reader = new LineReader(file, { fileSize: size });
      let entries: TranscriptEntry[] = [];
      const receive = (bytes: Buffer, start: number, end: number): void => {
        const entry = parseEntry(bytes, start, end);
        if (entry !== undefined) entries.push(entry);
      };
      while (await reader.read(receive)) {
        if (entries.length > 0) yield entries;
        entries = [];
      }
    } finally {
      await file.close();
    }
  }
}

/** How many of the heads, from this one on, one window of the file has; at least one, however large its entry is. */
function countTogether(heads: readonly EntryHead[], from: number): number {
  const first = heads[from];
  if (first === undefined) return 1;
  let last = first;
  let count = 1;
  for (; from + count < heads.length; count += 1) {
    const head = heads[from + count];
    if (head === undefined || head.place < last.place || head.place + head.size - first.place > windowBytes) break;
    last = head;
  }
  return count;
}

async function readEntries(
  file: FileHandle,
  heads: readonly EntryHead[],
  parse: typeof parseEntry,
): Promise<(TranscriptEntry | undefined)[]> {
  const [first, last] = [heads[0], heads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bytes = Buffer.allocUnsafe(last.place + last.size - first.place);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, first.place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return heads.map(({ place, size }) => {
    const start = place - first.place;
    return start + size <= filled ? parse(bytes, start, start + size) : undefined;
  });
}

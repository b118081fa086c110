import { open } from 'node:fs/promises';
import { headOf, type EntryIndex, type Transcript, type TranscriptEntry } from '@hexagent/ports';
import { FileIndex } from './file-index.ts';
import { LineReader } from './line-reader.ts';
import { parseEntry } from './parse-entry.ts';
import { isBookkeeping, releaseLine, scanLine } from './scan-line.ts';

/** One transcript on disk. Each reading opens the file anew, and closes it when it ends or is left. */
export class TranscriptFile implements Transcript {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async index(): Promise<EntryIndex> {
    const index = new FileIndex(this.path);
    const zeros = new Zeros();
    const receive = (bytes: Buffer, start: number, end: number, place: number): void => {
      const line = scanLine(bytes, start, end);
      if (line === undefined || zeros.areIn(bytes, start, end)) return;
      if (!line.isRare) return index.addLine(line, place);
      const head = headOf(parseEntry(bytes, start, end));
      if (head !== undefined) index.addHead(head, place, end - start);
    };
    const file = await open(this.path);
    try {
      const { size } = await file.stat();
      const reader = new LineReader(file, { fileSize: size, isUnneeded: isBookkeeping });
      while (await reader.read(receive));
    } finally {
      releaseLine();
      await file.close();
    }
    return index;
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

/**
 * Finds lines with zeros, which are no JSON: what was not yet on the disk when a machine went down may be zeros later. They are
 * searched for once in each block, since there are nearly always none.
 */
class Zeros {
  #bytes: Buffer | undefined;
  /** The first one from the line on that was asked about last. */
  #next = Infinity;

  areIn(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#bytes || this.#next < start) {
      const found = bytes.indexOf(0, start);
      this.#next = found === -1 ? Infinity : found;
      this.#bytes = bytes;
    }
    return this.#next < end;
  }
}

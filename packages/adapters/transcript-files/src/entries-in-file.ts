import { open, type FileHandle } from 'node:fs/promises';
import type { TranscriptEntry } from '@hexagent/ports';
import { EntryParser, type EntryPlace } from './entry-parser.ts';

/** So much is read at once where entries lie close to each other. */
const windowBytes = 512 * 1024;

/** The entries at these places of a file, as many at a time as one read brought. */
export async function* entriesInFile(
  path: string,
  entries: Iterable<number>,
  placeOf: (entry: number) => EntryPlace,
): AsyncGenerator<readonly (TranscriptEntry | undefined)[], void, undefined> {
  const file = await open(path);
  const window = new Window(file);
  try {
    let places: EntryPlace[] = [];
    for (const entry of entries) {
      const place = placeOf(entry);
      if (places.length > 0 && !fitsBehind(places, place)) {
        yield await window.read(places);
        places = [];
      }
      places.push(place);
    }
    if (places.length > 0) yield await window.read(places);
  } finally {
    await file.close();
  }
}

/** Whether one window of the file has this entry and those before it. */
function fitsBehind(places: readonly EntryPlace[], { place, size }: EntryPlace): boolean {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return true;
  return place > last.place && place + size - first.place <= windowBytes;
}

/** A part of a file at a time, in one memory: nothing of it is held once its entries were made. */
class Window {
  readonly #file: FileHandle;
  readonly #parser = new EntryParser();
  #bytes: Buffer = Buffer.allocUnsafeSlow(0);

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async read(places: readonly EntryPlace[]): Promise<(TranscriptEntry | undefined)[]> {
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined) return [];
    const filled = await this.#fill(first.place, last.place + last.size - first.place);
    // A file that was cut off meanwhile has lost the last ones.
    const there = places.filter(({ place, size }) => place + size - first.place <= filled);
    const entries = this.#parser.parse({ bytes: this.#bytes, place: first.place }, there);
    return there.length === places.length ? entries : places.map((_, place) => entries[place]);
  }

  /** Returns how much there is. */
  async #fill(place: number, length: number): Promise<number> {
    // An entry of any length gets its memory, and the next ones take no more than they need.
    if (this.#bytes.length < length || this.#bytes.length > windowBytes)
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(length, windowBytes));
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(this.#bytes, filled, length - filled, place + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }
}

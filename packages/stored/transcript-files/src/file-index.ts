import { open, type FileHandle } from 'node:fs/promises';
import type { EntryHead } from '@hexagent/checks';
import type { ConversationEntryType, EntryIndex, PreservedMessages, TranscriptEntry } from '@hexagent/ports';
import { parseEntry } from './entries.ts';
import { readAt } from './lines.ts';

/** How much is read at once where entries are close to each other. */
const windowBytes = 512 * 1024;

/** Where the line of an entry is in its file. */
interface Span {
  readonly place: number;
  readonly size: number;
}

const none = -1;
const noIds: readonly number[] = [];
/** What is kept of each entry, as numbers: an object takes three times the memory. */
const columns = { place: 0, size: 1, uuid: 2, parentUuid: 3, messageId: 4, marks: 5 } as const;
const width = Object.keys(columns).length;
const types: readonly ConversationEntryType[] = ['assistant', 'attachment', 'progress', 'system', 'user'];
/** The lowest bits of the marks are the type. */
const bits = { type: 0b111, isSidechain: 1 << 3, isMeta: 1 << 4, isTeammates: 1 << 5, isBoundary: 1 << 6 } as const;

/** The index of a transcript that is a file: where its entries are, and which is the parent of which. */
export class FileIndex implements EntryIndex {
  readonly #path: string;
  #cells = new Float64Array(1024 * width);
  readonly #uuids = new Numbers();
  readonly #ids = new Numbers();
  readonly #timestamps: (string | undefined)[] = [];
  /** Fields that few entries have. */
  readonly #toolUseIds = new Map<number, readonly number[]>();
  readonly #promptUuids = new Map<number, number>();
  readonly #preserved = new Map<number, PreservedMessages<number>>();

  constructor(path: string) {
    this.#path = path;
  }

  add(head: EntryHead, { place, size }: Span): void {
    const { uuid, parentUuid, messageId, promptUuid, preserved, toolUseIds } = head;
    const uuidOf = (text: string): number => this.#uuids.of(text);
    const idOf = (text: string): number => this.#ids.of(text);
    const entry = this.#timestamps.push(head.timestamp) - 1;
    const cells = [
      ...[place, size, uuidOf(uuid), parentUuid === undefined ? none : uuidOf(parentUuid)],
      ...[messageId === undefined ? none : idOf(messageId), marksOf(head)],
    ];
    if (this.#cells.length < (entry + 1) * width) this.#grow();
    this.#cells.set(cells, entry * width);
    if (toolUseIds.length > 0) this.#toolUseIds.set(entry, toolUseIds.map(idOf));
    if (promptUuid !== undefined) this.#promptUuids.set(entry, uuidOf(promptUuid));
    if (preserved !== undefined) this.#preserved.set(entry, numbered(preserved, uuidOf));
  }

  get count(): number {
    return this.#timestamps.length;
  }

  get uuidCount(): number {
    return this.#uuids.count;
  }

  typeOf(entry: number): ConversationEntryType {
    return types[this.#cell(entry, 'marks') & bits.type] ?? 'user';
  }

  uuidOf(entry: number): number {
    return this.#cell(entry, 'uuid');
  }

  parentUuidOf(entry: number): number | undefined {
    return optional(this.#cell(entry, 'parentUuid'));
  }

  timestampOf(entry: number): string | undefined {
    return this.#timestamps[entry];
  }

  isSidechain(entry: number): boolean {
    return this.#isMarked(entry, 'isSidechain');
  }

  isMeta(entry: number): boolean {
    return this.#isMarked(entry, 'isMeta');
  }

  isTeammates(entry: number): boolean {
    return this.#isMarked(entry, 'isTeammates');
  }

  isBoundary(entry: number): boolean {
    return this.#isMarked(entry, 'isBoundary');
  }

  promptUuidOf(entry: number): number | undefined {
    return this.#promptUuids.get(entry);
  }

  messageIdOf(entry: number): number | undefined {
    return optional(this.#cell(entry, 'messageId'));
  }

  toolUseIdsOf(entry: number): readonly number[] {
    return this.#toolUseIds.get(entry) ?? noIds;
  }

  preservedIn(entry: number): PreservedMessages<number> | undefined {
    return this.#preserved.get(entry);
  }

  uuidText(uuid: number): string {
    return this.#uuids.text(uuid);
  }

  findUuid(text: string): number | undefined {
    return this.#uuids.find(text);
  }

  /** Lines that lie close to each other are read at once. */
  async *entriesOf(
    entries: Iterable<number>,
  ): AsyncGenerator<readonly (TranscriptEntry | undefined)[], void, undefined> {
    const file = await open(this.#path);
    try {
      let window: Span[] = [];
      for (const entry of entries) {
        const span = { place: this.#cell(entry, 'place'), size: this.#cell(entry, 'size') };
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

  #cell(entry: number, column: keyof typeof columns): number {
    return this.#cells[entry * width + columns[column]] ?? none;
  }

  #isMarked(entry: number, mark: Exclude<keyof typeof bits, 'type'>): boolean {
    return (this.#cell(entry, 'marks') & bits[mark]) !== 0;
  }

  #grow(): void {
    const cells = new Float64Array(2 * this.#cells.length);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

const optional = (number: number): number | undefined => (number === none ? undefined : number);

function marksOf({ type, isSidechain, isMeta, isTeammates, isBoundary }: EntryHead): number {
  const mark = (isSet: boolean, bit: number): number => (isSet ? bit : 0);
  return (
    types.indexOf(type) |
    mark(isSidechain, bits.isSidechain) |
    mark(isMeta, bits.isMeta) |
    mark(isTeammates, bits.isTeammates) |
    mark(isBoundary, bits.isBoundary)
  );
}

function fitsBehind(window: readonly Span[], { place, size }: Span): boolean {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return true;
  return place > last.place && place + size - first.place <= windowBytes;
}

async function readWindow(file: FileHandle, window: readonly Span[]): Promise<(TranscriptEntry | undefined)[]> {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = first.place;
  const bytes = await readAt(file, Buffer.allocUnsafeSlow(last.place + last.size - start), start);
  return window.map(({ place, size }) => {
    const line = bytes.subarray(place - start, place - start + size);
    // Shorter where the file was cut off meanwhile.
    return line.length === size ? parseEntry(line) : undefined;
  });
}

/** Numbers of texts: the same text, the same number. */
class Numbers {
  readonly #numbers = new Map<string, number>();
  #texts: readonly string[] | undefined;

  get count(): number {
    return this.#numbers.size;
  }

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  /** Asked for once all were added. */
  text(number: number): string {
    this.#texts ??= [...this.#numbers.keys()];
    return this.#texts[number] ?? '';
  }
}

function numbered(
  { anchorUuid, uuids }: PreservedMessages<string>,
  numberOf: (text: string) => number,
): PreservedMessages<number> {
  const anchor = numberOf(anchorUuid);
  if (!('headUuid' in uuids)) return { anchorUuid: anchor, uuids: uuids.map(numberOf) };
  return { anchorUuid: anchor, uuids: { headUuid: numberOf(uuids.headUuid), tailUuid: numberOf(uuids.tailUuid) } };
}

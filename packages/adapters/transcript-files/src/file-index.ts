import type { ConversationEntryType, EntryHead, EntryIndex, PreservedMessages } from '@hexagent/ports';
import { EntryColumns } from './entry-columns.ts';
import { entriesInFile } from './entries-in-file.ts';
import type { EntryPlace } from './entry-parser.ts';
import { types, type ScannedLine, type Span } from './scan-line.ts';
import { TextList } from './text-list.ts';
import { TextTable } from './text-table.ts';

const none = -1;
/** The lowest bits of the marks of an entry are its type. */
const typeBits = 0b111;
const sidechain = 1 << 3;
const meta = 1 << 4;
const teammates = 1 << 5;
const boundary = 1 << 6;

/** The index of a transcript that is a file: numbers and the bytes of ids, with no object for an entry. */
export class FileIndex implements EntryIndex {
  readonly #path: string;
  readonly #columns = new EntryColumns();
  readonly #uuids = new TextTable();
  readonly #times = new TextList();
  /** Most conversations are ordered without the ids of messages and calls, so they get numbers when they are asked for. */
  readonly #ids = new TextList();
  #numbersOfIds: Int32Array | undefined;
  /** The ids of an entry that calls several tools. */
  readonly #lists: (readonly number[])[] = [];
  readonly #promptUuids = new Map<number, number>();
  readonly #preserved = new Map<number, PreservedMessages<number>>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds the entry of a line that was scanned, and is here in the file. */
  addLine(line: Readonly<ScannedLine>, place: number): void {
    const { bytes } = line;
    const uuid = addAt(this.#uuids, bytes, line.uuid);
    if (uuid === none || line.type === undefined) return;
    const entry = this.#add(line.type, place, line.end - line.start);
    const columns = this.#columns;
    columns.uuids[entry] = uuid;
    columns.parentUuids[entry] = this.#parentAt(bytes, line.parentUuid, entry);
    columns.timestamps[entry] = addAt(this.#times, bytes, line.timestamp);
    columns.messageIds[entry] = line.type === 'assistant' ? addAt(this.#ids, bytes, line.messageId) : none;
    const hasTools = line.type === 'assistant' || line.type === 'user';
    columns.toolUseIds[entry] = hasTools ? this.#toolsAt(line) : none;
    if (line.noted.end > 0) {
      columns.notedStarts[entry] = line.noted.start - line.start;
      columns.notedEnds[entry] = line.noted.end - line.start;
    }
    this.#mark(entry, line, false);
  }

  /** Adds an entry that was parsed, and is here in the file. */
  addHead(head: EntryHead, place: number, size: number): void {
    const entry = this.#add(head.type, place, size);
    const columns = this.#columns;
    const numberOf = (text: string | undefined): number => (text === undefined ? none : this.#uuids.add(text));
    const idOf = (text: string): number => this.#ids.addOther(text);
    columns.uuids[entry] = numberOf(head.uuid);
    columns.parentUuids[entry] = numberOf(head.parentUuid);
    columns.timestamps[entry] = head.timestamp === undefined ? none : this.#times.addOther(head.timestamp);
    columns.messageIds[entry] = head.messageId === undefined ? none : idOf(head.messageId);
    columns.toolUseIds[entry] = this.#listed(head.toolUseIds.map(idOf));
    this.#mark(entry, head, head.isBoundary);
    if (head.promptUuid !== undefined) this.#promptUuids.set(entry, numberOf(head.promptUuid));
    if (head.preserved !== undefined) this.#preserved.set(entry, numbered(head.preserved, numberOf));
  }

  get count(): number {
    return this.#columns.count;
  }

  get uuidCount(): number {
    return this.#uuids.count;
  }

  typeOf(entry: number): ConversationEntryType {
    return types[this.#marksOf(entry) & typeBits] ?? 'user';
  }

  uuidOf(entry: number): number {
    return this.#columns.uuids[entry] ?? none;
  }

  parentUuidOf(entry: number): number | undefined {
    return numberIn(this.#columns.parentUuids, entry);
  }

  timestampOf(entry: number): string | undefined {
    const number = numberIn(this.#columns.timestamps, entry);
    return number === undefined ? undefined : this.#times.text(number);
  }

  isSidechain(entry: number): boolean {
    return (this.#marksOf(entry) & sidechain) !== 0;
  }

  isMeta(entry: number): boolean {
    return (this.#marksOf(entry) & meta) !== 0;
  }

  isTeammates(entry: number): boolean {
    return (this.#marksOf(entry) & teammates) !== 0;
  }

  isBoundary(entry: number): boolean {
    return (this.#marksOf(entry) & boundary) !== 0;
  }

  promptUuidOf(entry: number): number | undefined {
    return this.#promptUuids.get(entry);
  }

  messageIdOf(entry: number): number | undefined {
    const id = numberIn(this.#columns.messageIds, entry);
    return id === undefined ? undefined : this.#numberOfId(id);
  }

  toolUseIdsOf(entry: number): readonly number[] {
    const id = this.#columns.toolUseIds[entry] ?? none;
    if (id === none) return [];
    const ids = id > none ? [id] : (this.#lists[none - 1 - id] ?? []);
    return ids.map((each) => this.#numberOfId(each));
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

  entriesOf(
    entries: Iterable<number>,
    { onlyMessages = false }: { readonly onlyMessages?: boolean | undefined } = {},
  ): ReturnType<EntryIndex['entriesOf']> {
    return entriesInFile(this.#path, entries, (entry) => this.#placeOf(entry, onlyMessages));
  }

  /** The same number for the same id. */
  #numberOfId(id: number): number {
    this.#numbersOfIds ??= numbersOf(this.#ids);
    return this.#numbersOfIds[id] ?? none;
  }

  #placeOf(entry: number, onlyMessages: boolean): EntryPlace {
    const { places, sizes, notedStarts, notedEnds } = this.#columns;
    return {
      place: places[entry] ?? 0,
      size: sizes[entry] ?? 0,
      unneededStart: onlyMessages ? (notedStarts[entry] ?? 0) : 0,
      unneededEnd: onlyMessages ? (notedEnds[entry] ?? 0) : 0,
    };
  }

  #add(type: ConversationEntryType, place: number, size: number): number {
    const entry = this.#columns.add();
    this.#columns.places[entry] = place;
    this.#columns.sizes[entry] = size;
    this.#columns.marks[entry] = types.indexOf(type);
    return entry;
  }

  #mark(
    entry: number,
    { isSidechain, isMeta, isTeammates }: Pick<EntryHead, 'isSidechain' | 'isMeta' | 'isTeammates'>,
    isBoundary: boolean,
  ): void {
    const { marks } = this.#columns;
    marks[entry] =
      this.#marksOf(entry) |
      (isSidechain ? sidechain : 0) |
      (isMeta ? meta : 0) |
      (isTeammates ? teammates : 0) |
      (isBoundary ? boundary : 0);
  }

  #marksOf(entry: number): number {
    return this.#columns.marks[entry] ?? 0;
  }

  /** Mostly an entry hangs on the one before it. */
  #parentAt(bytes: Buffer, parent: Span, entry: number): number {
    if (parent.end === 0) return none;
    const before = entry === 0 ? none : this.uuidOf(entry - 1);
    const isBefore = before !== none && this.#uuids.isAt(before, bytes, parent.start, parent.end);
    return isBefore ? before : addAt(this.#uuids, bytes, parent);
  }

  #toolsAt(line: Readonly<ScannedLine>): number {
    if (line.toolUses === 0) return none;
    if (line.toolUses === 1) return this.#toolAt(line, 0);
    const ids: number[] = [];
    for (let tool = 0; tool < line.toolUses; tool += 1) ids.push(this.#toolAt(line, tool));
    return this.#listed(ids.filter((id) => id !== none));
  }

  #toolAt({ bytes, toolUseIds }: Readonly<ScannedLine>, tool: number): number {
    return this.#ids.addAt(bytes, toolUseIds[2 * tool] ?? 0, toolUseIds[2 * tool + 1] ?? 0) ?? none;
  }

  /** Most entries have one id at most, which needs no list. */
  #listed(ids: readonly number[]): number {
    if (ids.length < 2) return ids[0] ?? none;
    return none - this.#lists.push(ids);
  }
}

/** The number of the string that is here; none where there is none. */
function addAt(texts: TextList | TextTable, bytes: Buffer, { start, end }: Span): number {
  return end === 0 ? none : (texts.addAt(bytes, start, end) ?? none);
}

function numbersOf(texts: TextList): Int32Array {
  const table = new TextTable();
  const numbers = new Int32Array(texts.count);
  for (let text = 0; text < texts.count; text += 1) numbers[text] = table.add(texts.text(text));
  return numbers;
}

function numberIn(column: Int32Array, entry: number): number | undefined {
  const number = column[entry] ?? none;
  return number === none ? undefined : number;
}

function numbered(
  { anchorUuid, uuids }: PreservedMessages<string>,
  numberOf: (text: string) => number,
): PreservedMessages<number> {
  if (!('headUuid' in uuids)) return { anchorUuid: numberOf(anchorUuid), uuids: uuids.map(numberOf) };
  const { headUuid, tailUuid } = uuids;
  return { anchorUuid: numberOf(anchorUuid), uuids: { headUuid: numberOf(headUuid), tailUuid: numberOf(tailUuid) } };
}

import type { ConversationEntryType, EntryIndex, PreservedMessages, TranscriptEntry } from '@hexagent/ports';
import { headOf, type EntryHead } from './entry-heads.ts';

/** Reads the entries at these places, as many at a time as one read brought. */
type ReadEntries<Place> = (places: Iterable<Place>) => AsyncIterable<readonly (TranscriptEntry | undefined)[]>;

/** The index of a transcript: the heads of its entries, and the place of each, by which the whole entry is read. */
export class HeadIndex<Place> implements EntryIndex {
  readonly #read: ReadEntries<Place>;
  readonly #heads: EntryHead[] = [];
  readonly #places: Place[] = [];
  readonly #uuids = new Numbers();
  readonly #ids = new Numbers();

  constructor(read: ReadEntries<Place>) {
    this.#read = read;
  }

  /** An entry that is not part of a conversation is left out. */
  add(entry: unknown, place: Place): void {
    const head = headOf(entry);
    if (head === undefined) return;
    this.#heads.push(head);
    this.#places.push(place);
    // At once, so that none is added while the index is in use.
    for (const uuid of uuidsIn(head)) this.#uuids.add(uuid);
  }

  get count(): number {
    return this.#heads.length;
  }

  get uuidCount(): number {
    return this.#uuids.count;
  }

  typeOf(entry: number): ConversationEntryType {
    return this.#head(entry).type;
  }

  uuidOf(entry: number): number {
    return this.#uuids.add(this.#head(entry).uuid);
  }

  parentUuidOf(entry: number): number | undefined {
    return this.#uuids.find(this.#head(entry).parentUuid);
  }

  timestampOf(entry: number): string | undefined {
    return this.#head(entry).timestamp;
  }

  isSidechain(entry: number): boolean {
    return this.#head(entry).isSidechain;
  }

  isMeta(entry: number): boolean {
    return this.#head(entry).isMeta;
  }

  isTeammates(entry: number): boolean {
    return this.#head(entry).isTeammates;
  }

  isBoundary(entry: number): boolean {
    return this.#head(entry).isBoundary;
  }

  promptUuidOf(entry: number): number | undefined {
    return this.#uuids.find(this.#head(entry).promptUuid);
  }

  messageIdOf(entry: number): number | undefined {
    const { messageId } = this.#head(entry);
    return messageId === undefined ? undefined : this.#ids.add(messageId);
  }

  toolUseIdsOf(entry: number): readonly number[] {
    return this.#head(entry).toolUseIds.map((id) => this.#ids.add(id));
  }

  preservedIn(entry: number): PreservedMessages<number> | undefined {
    const { preserved } = this.#head(entry);
    if (preserved === undefined) return undefined;
    const { anchorUuid, uuids } = preserved;
    const numberOf = (uuid: string): number => this.#uuids.add(uuid);
    if (!('headUuid' in uuids)) return { anchorUuid: numberOf(anchorUuid), uuids: uuids.map(numberOf) };
    const { headUuid, tailUuid } = uuids;
    return {
      anchorUuid: numberOf(anchorUuid),
      uuids: { headUuid: numberOf(headUuid), tailUuid: numberOf(tailUuid) },
    };
  }

  uuidText(uuid: number): string {
    return this.#uuids.text(uuid);
  }

  findUuid(text: string): number | undefined {
    return this.#uuids.find(text);
  }

  entriesOf(entries: Iterable<number>): AsyncIterable<readonly (TranscriptEntry | undefined)[]> {
    return this.#read(Array.from(entries, (entry) => found(this.#places[entry], entry)));
  }

  #head(entry: number): EntryHead {
    return found(this.#heads[entry], entry);
  }
}

/** Numbers of texts: the same text, the same number. */
class Numbers {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#texts.length;
  }

  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  find(text: string | undefined): number | undefined {
    return text === undefined ? undefined : this.#numbers.get(text);
  }

  text(number: number): string {
    return found(this.#texts[number], number);
  }
}

function uuidsIn({ uuid, parentUuid, promptUuid, preserved }: EntryHead): readonly string[] {
  const optional = [parentUuid, promptUuid, preserved?.anchorUuid].filter((text) => text !== undefined);
  const kept = preserved?.uuids ?? [];
  return [uuid, ...optional, ...('headUuid' in kept ? [kept.headUuid, kept.tailUuid] : kept)];
}

function found<T>(value: T | undefined, number: number): T {
  if (value === undefined) throw new RangeError(`The index of a transcript has no number ${number}.`);
  return value;
}

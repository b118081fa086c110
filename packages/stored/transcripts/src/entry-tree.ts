import type { EntryIndex } from '@hexagent/ports';

const none = -1;

/**
 * The entries of a transcript by their links. Of several entries with one uuid the last counts. Reports of progress are left out,
 * and what follows one is linked to what came before it.
 */
export class EntryTree {
  readonly index: EntryIndex;
  /** Each entry that counts, in the order in which the first of its uuid was written. */
  readonly entries: Int32Array;
  /** The entry of a uuid. */
  readonly #entries: Int32Array;
  /** The uuid that an entry hangs on in the conversation, which need not be the one that it names. */
  readonly #parents: Int32Array;
  /** In which walk an entry was passed last. */
  readonly #passed: Int32Array;
  #walks = 0;

  constructor(index: EntryIndex) {
    this.index = index;
    this.#entries = new Int32Array(index.uuidCount).fill(none);
    this.#parents = new Int32Array(index.count);
    this.#passed = new Int32Array(index.count);
    let hasProgress = false;
    for (let entry = 0; entry < index.count; entry += 1) {
      this.#entries[index.uuidOf(entry)] = entry;
      this.#parents[entry] = index.parentUuidOf(entry) ?? none;
      hasProgress ||= index.typeOf(entry) === 'progress';
    }
    if (hasProgress) this.#skipProgress();
    this.entries = this.#counting();
  }

  /** `undefined` for a uuid that no entry has, or a report of progress. */
  entryOf(uuid: number): number | undefined {
    const entry = this.#entries[uuid];
    return entry === none ? undefined : entry;
  }

  /** The uuid that an entry hangs on. */
  parentOf(entry: number): number | undefined {
    const parent = this.#parents[entry];
    return parent === none ? undefined : parent;
  }

  /** Hangs the entry of a uuid on another one. */
  move(uuid: number, parent: number): void {
    const entry = this.entryOf(uuid);
    if (entry !== undefined) this.#parents[entry] = parent;
  }

  /** From the first entry to this one. A link to what is missing, or back into the chain, is where it begins. */
  chainTo(last: number): Int32Array {
    this.#walks += 1;
    let length = 0;
    let entry: number | undefined = last;
    for (; entry !== undefined && this.#passed[entry] !== this.#walks; entry = this.#before(entry)) {
      this.#passed[entry] = this.#walks;
      length += 1;
    }
    const chain = new Int32Array(length);
    entry = last;
    for (let place = length - 1; place >= 0 && entry !== undefined; place -= 1, entry = this.#before(entry))
      chain[place] = entry;
    return chain;
  }

  #before(entry: number): number | undefined {
    const parent = this.parentOf(entry);
    return parent === undefined ? undefined : this.entryOf(parent);
  }

  #counting(): Int32Array {
    this.#walks += 1;
    const counting = new Int32Array(this.index.count);
    let count = 0;
    for (let entry = 0; entry < this.index.count; entry += 1) {
      const last = this.entryOf(this.index.uuidOf(entry));
      if (last === undefined || this.#passed[last] === this.#walks) continue;
      this.#passed[last] = this.#walks;
      counting[count] = last;
      count += 1;
    }
    return counting.subarray(0, count);
  }

  #skipProgress(): void {
    const { index } = this;
    const isProgress = (entry: number): boolean => index.typeOf(entry) === 'progress';
    for (let entry = 0; entry < index.count; entry += 1)
      if (!isProgress(entry)) this.#parents[entry] = this.#behindProgress(entry, isProgress) ?? none;
    for (let entry = 0; entry < index.count; entry += 1)
      if (this.#entries[index.uuidOf(entry)] === entry && isProgress(entry)) this.#entries[index.uuidOf(entry)] = none;
  }

  #behindProgress(entry: number, isProgress: (entry: number) => boolean): number | undefined {
    this.#walks += 1;
    let parent = this.parentOf(entry);
    for (;;) {
      const above = parent === undefined ? undefined : this.entryOf(parent);
      if (above === undefined || !isProgress(above)) return parent;
      // Reports that follow one another in a circle follow nothing.
      if (this.#passed[above] === this.#walks) return undefined;
      this.#passed[above] = this.#walks;
      parent = this.index.parentUuidOf(above);
    }
  }
}

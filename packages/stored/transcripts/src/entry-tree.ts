import type { EntryHead } from '@hexagent/ports';

/**
 * The entries of a transcript by their links. Of several entries with one uuid the last counts. Reports of progress are left out,
 * and what follows one is linked to what came before it.
 */
export class EntryTree {
  /** The entries that count, in the order in which the first of their uuid was written. */
  readonly #byUuid: Map<string, EntryHead>;
  /** The uuid that the entry of a uuid hangs on in the conversation, which need not be the one that it names. */
  readonly #parents = new Map<string, string | undefined>();

  constructor(heads: readonly EntryHead[]) {
    const all = new Map(heads.map((head) => [head.uuid, head]));
    this.#byUuid = new Map([...all].filter(([, { type }]) => type !== 'progress'));
    for (const head of this.#byUuid.values()) this.#parents.set(head.uuid, parentBehindProgress(head, all));
  }

  get heads(): Iterable<EntryHead> {
    return this.#byUuid.values();
  }

  /** `undefined` for a uuid that no entry has, or a report of progress. */
  headOf(uuid: string | undefined): EntryHead | undefined {
    return uuid === undefined ? undefined : this.#byUuid.get(uuid);
  }

  /** The uuid that an entry hangs on. */
  parentOf({ uuid }: EntryHead): string | undefined {
    return this.#parents.get(uuid);
  }

  /** Hangs the entry of a uuid on another one. */
  move(uuid: string, parent: string): void {
    this.#parents.set(uuid, parent);
  }

  /** From the first entry to this one. A link to what is missing, or back into the chain, is where it begins. */
  chainTo(last: EntryHead): readonly EntryHead[] {
    const chain = new Set<EntryHead>();
    for (let head: EntryHead | undefined = last; head !== undefined && !chain.has(head);) {
      chain.add(head);
      head = this.headOf(this.parentOf(head));
    }
    return [...chain].toReversed();
  }
}

function parentBehindProgress({ parentUuid }: EntryHead, all: ReadonlyMap<string, EntryHead>): string | undefined {
  const passed = new Set<EntryHead>();
  for (let parent = parentUuid; parent !== undefined;) {
    const above = all.get(parent);
    if (above?.type !== 'progress') return parent;
    // Reports that follow one another in a circle follow nothing.
    if (passed.has(above)) return undefined;
    passed.add(above);
    parent = above.parentUuid;
  }
  return undefined;
}

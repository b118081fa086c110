import type { EntryHead } from '@hexagent/ports';

/**
 * The entries of a transcript by their links. Of several entries with one uuid the last counts. Reports of progress are left out,
 * and what follows one is linked to what came before it.
 */
export class EntryTree {
  /** Reports of progress included. */
  readonly #byUuid: ReadonlyMap<string | undefined, EntryHead>;
  /** The entries that count, in the order in which the first of their uuid was written. */
  readonly heads: readonly EntryHead[];
  /** The uuid that the entry of a uuid was hung on, in place of the one that it names. */
  readonly #moved = new Map<string, string>();

  constructor(heads: readonly EntryHead[]) {
    this.#byUuid = new Map(heads.map((head) => [head.uuid, head]));
    this.heads = [...this.#byUuid.values()].filter(({ type }) => type !== 'progress');
  }

  /** `undefined` for a uuid that no entry has, or a report of progress. */
  headOf(uuid: string | undefined): EntryHead | undefined {
    const head = this.#byUuid.get(uuid);
    return head?.type === 'progress' ? undefined : head;
  }

  /** The uuid that an entry hangs on. */
  parentOf(head: EntryHead): string | undefined {
    return this.#moved.get(head.uuid) ?? this.#parentBehindProgress(head);
  }

  /** Hangs the entry of a uuid on another one. */
  move(uuid: string, parent: string): void {
    this.#moved.set(uuid, parent);
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

  #parentBehindProgress({ parentUuid }: EntryHead): string | undefined {
    let parent = parentUuid;
    let passed: Set<EntryHead> | undefined;
    for (let above = this.#byUuid.get(parent); above?.type === 'progress'; above = this.#byUuid.get(parent)) {
      passed ??= new Set();
      // Reports that follow one another in a circle follow nothing.
      if (passed.has(above)) return undefined;
      passed.add(above);
      parent = above.parentUuid;
    }
    return parent;
  }
}

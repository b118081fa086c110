import type { EntryIndex } from '@hexagent/ports';
import type { EntryTree } from './entry-tree.ts';

/**
 * Tools that the model calls at once branch the tree: each block of the answer is an entry, and each result hangs on the
 * block that asked for it, so that a chain has only one of them. This adds the others behind the last block of the
 * answer that the chain has: first the blocks, then their results, each by time.
 */
export function withParallelTools(chain: Int32Array, tree: EntryTree): Int32Array {
  const { index } = tree;
  const inChain = new Uint8Array(index.count);
  for (const entry of chain) inChain[entry] = 1;
  const isMissing = (entry: number): boolean => inChain[entry] === 0;
  const missing = tree.entries.filter((entry) => isMissing(entry));
  // Nearly always the chain is complete, and nothing is added.
  if (!missing.some((entry) => isBlock(index, entry) || isResult(index, entry))) return chain;
  const lastOf = new Map<number, number>();
  for (const entry of chain) if (isBlock(index, entry)) lastOf.set(answerOf(index, entry), entry);
  const answers = new Map<number, number[]>();
  for (const entry of tree.entries) {
    const answer = isBlock(index, entry) ? answerOf(index, entry) : undefined;
    if (answer !== undefined && lastOf.has(answer)) add(answers, answer, entry);
  }
  const results = new Results(tree, chain);
  const byTime = (one: number, other: number): number => compareTimes(index, one, other);
  const all = Array.from(chain, (entry) => {
    const answer = index.messageIdOf(entry);
    if (answer === undefined || lastOf.get(answer) !== entry) return [entry];
    const blocks = answers.get(answer) ?? [];
    const added = [blocks, results.of(blocks)].flatMap((some) => some.filter(isMissing).toSorted(byTime));
    // A result may hang on one answer and name a call of another.
    for (const each of added) inChain[each] = 1;
    return [entry, ...added];
  });
  return Int32Array.from(all.flat());
}

const none = -1;
/** Of which answer a block is. */
const answerOf = (index: EntryIndex, entry: number): number => index.messageIdOf(entry) ?? none;

const isBlock = (index: EntryIndex, entry: number): boolean =>
  index.typeOf(entry) === 'assistant' && index.messageIdOf(entry) !== undefined;

const isResult = (index: EntryIndex, entry: number): boolean =>
  index.typeOf(entry) === 'user' && index.toolUseIdsOf(entry).length > 0;

/** Finds the results of tools by the entry that they hang on, and by the call that they name. */
class Results {
  readonly #index: EntryIndex;
  readonly #byParent = new Map<number, number[]>();
  readonly #byCall = new Map<number, number[]>();
  readonly #answered = new Set<number>();

  constructor(tree: EntryTree, chain: Int32Array) {
    const { index } = tree;
    this.#index = index;
    for (const entry of chain)
      if (isResult(index, entry)) for (const id of index.toolUseIdsOf(entry)) this.#answered.add(id);
    for (const entry of tree.entries) {
      if (!isResult(index, entry)) continue;
      // One that names no parent begins a conversation of its own.
      if (index.parentUuidOf(entry) === undefined) continue;
      const parent = tree.parentOf(entry);
      if (parent !== undefined) add(this.#byParent, parent, entry);
      for (const id of index.toolUseIdsOf(entry)) add(this.#byCall, id, entry);
    }
  }

  of(blocks: readonly number[]): readonly number[] {
    const index = this.#index;
    const found = new Set(blocks.flatMap((block) => this.#byParent.get(index.uuidOf(block)) ?? []));
    const answered = new Set([...found].flatMap((result) => index.toolUseIdsOf(result)));
    for (const block of blocks)
      for (const id of index.toolUseIdsOf(block))
        // A result that hangs elsewhere counts only for a call that has no other.
        if (!answered.has(id) && !this.#answered.has(id))
          for (const result of this.#byCall.get(id) ?? []) found.add(result);
    return [...found];
  }
}

function add(lists: Map<number, number[]>, key: number, entry: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

/** Times are written in one form, so their text has their order. */
function compareTimes(index: EntryIndex, entry: number, other: number): number {
  const [one = '', two = ''] = [index.timestampOf(entry), index.timestampOf(other)];
  return one < two ? -1 : one > two ? 1 : 0;
}

import type { EntryHead } from '@hexagent/ports';
import type { EntryTree } from './entry-tree.ts';

/**
 * Tools that the model calls at once branch the tree: each block of the answer is an entry, and each result hangs on the
 * block that asked for it, so that a chain has only one of them. This adds the others behind the last block of the
 * answer that the chain has: first the blocks, then their results, each by time.
 */
export function withParallelTools(chain: readonly EntryHead[], tree: EntryTree): readonly EntryHead[] {
  const isShown = new Set(chain);
  const answers = grouped(tree.heads.filter(isBlock), ({ messageId }) => [messageId]);
  const lastBlocks = new Map(chain.filter(isBlock).map((block) => [block.messageId, block]));
  const resultsOf = resultFinder(chain, tree);
  return chain.flatMap((head) => {
    if (!isBlock(head) || lastBlocks.get(head.messageId) !== head) return [head];
    const blocks = answers.get(head.messageId) ?? [];
    const added = [blocks, resultsOf(blocks)].flatMap((some) =>
      some.filter((each) => !isShown.has(each)).toSorted(byTime),
    );
    // A result may hang on one answer and name a call of another.
    for (const each of added) isShown.add(each);
    return [head, ...added];
  });
}

const isBlock = ({ type, messageId }: EntryHead): boolean => type === 'assistant' && messageId !== undefined;
const isResult = ({ type, toolUseIds }: EntryHead): boolean => type === 'user' && toolUseIds.length > 0;

/** Finds the results of tools by the entry that they hang on, and by the call that they name. */
function resultFinder(
  chain: readonly EntryHead[],
  tree: EntryTree,
): (blocks: readonly EntryHead[]) => readonly EntryHead[] {
  // One that names no parent begins a conversation of its own.
  const results = tree.heads.filter((head) => isResult(head) && head.parentUuid !== undefined);
  const byParent = grouped(results, (result) => [tree.parentOf(result)]);
  const byCall = grouped(results, ({ toolUseIds }) => toolUseIds);
  const answeredInChain = chain.filter(isResult).flatMap(({ toolUseIds }) => toolUseIds);
  const isAnsweredInChain = new Set(answeredInChain);
  return (blocks) => {
    const hanging = blocks.flatMap(({ uuid }) => byParent.get(uuid) ?? []);
    const isAnswered = new Set(hanging.flatMap(({ toolUseIds }) => toolUseIds));
    // A result that hangs elsewhere counts only for a call that has no other.
    const open = blocks
      .flatMap(({ toolUseIds }) => toolUseIds)
      .filter((id) => !isAnswered.has(id) && !isAnsweredInChain.has(id));
    return [...new Set([...hanging, ...open.flatMap((id) => byCall.get(id) ?? [])])];
  };
}

function grouped<Key>(
  heads: readonly EntryHead[],
  keysOf: (head: EntryHead) => readonly Key[],
): ReadonlyMap<Key, readonly EntryHead[]> {
  const groups = new Map<Key, EntryHead[]>();
  for (const head of heads)
    for (const key of keysOf(head)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [head]);
      else group.push(head);
    }
  return groups;
}

/** Times are written in one form, so their text has their order. */
function byTime({ timestamp: one = '' }: EntryHead, { timestamp: other = '' }: EntryHead): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

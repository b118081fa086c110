import type { EntryHead, PreservedMessages } from '@hexagent/ports';
import { EntryTree } from './entry-tree.ts';
import { withParallelTools } from './parallel-tools.ts';

/**
 * The conversation that ends with what was written last, in its order: from the last compaction on, with the messages
 * that it kept, and with every one of the tools that were called at once.
 */
export function conversationOf(
  heads: readonly EntryHead[],
  mayBeLast: (head: EntryHead) => boolean,
): readonly EntryHead[] {
  const tree = new EntryTree(heads);
  for (const { preserved } of tree.heads) if (preserved !== undefined) relink(tree, preserved);
  const leaf = leafOf(tree, heads, mayBeLast);
  return leaf === undefined ? [] : withParallelTools(tree.chainTo(leaf), tree);
}

export const isMessage = ({ type }: EntryHead): boolean => type === 'user' || type === 'assistant';

/** What a compaction kept stays where it was written, so it is moved behind the message that it belongs to. */
function relink(tree: EntryTree, { anchorUuid, uuids }: PreservedMessages): void {
  const kept = keptMessages(tree, uuids);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return;
  for (const head of tree.heads)
    if (tree.parentOf(head) === anchorUuid && head.uuid !== first) tree.move(head.uuid, last);
  let previous = anchorUuid;
  for (const uuid of kept) {
    tree.move(uuid, previous);
    previous = uuid;
  }
}

/** None where one is missing: a conversation with a hole would show an answer without its question. */
function keptMessages(tree: EntryTree, uuids: PreservedMessages['uuids']): readonly string[] {
  if (!('headUuid' in uuids)) return uuids.every((uuid) => tree.headOf(uuid) !== undefined) ? uuids : [];
  const tail = tree.headOf(uuids.tailUuid);
  const chain = tail === undefined ? [] : tree.chainTo(tail).map(({ uuid }) => uuid);
  const start = chain.indexOf(uuids.headUuid);
  return start === -1 ? [] : chain.slice(start);
}

/** The last message of the branch that was written to last. */
function leafOf(
  tree: EntryTree,
  heads: readonly EntryHead[],
  mayBeLast: (head: EntryHead) => boolean,
): EntryHead | undefined {
  const candidates = heads.filter((head) => tree.headOf(head.uuid) === head && mayBeLast(head));
  const parents = new Set(candidates.map((head) => tree.parentOf(head)));
  const places = new Map(heads.map((head, place) => [head, place]));
  const isLater = (one: EntryHead, other: EntryHead): boolean => Number(places.get(one)) > Number(places.get(other));
  // A queued message may follow the same message as notes that were written later: it ends the conversation then.
  let last: BranchEnd | undefined;
  for (const tip of candidates.toReversed()) {
    if (last !== undefined && !isLater(tip, last.leaf)) break;
    const end = parents.has(tip.uuid) ? undefined : endBefore(tree, tip);
    if (end === undefined) continue;
    if (last === undefined || (end.message === last.message && isLater(end.leaf, last.leaf))) last = end;
  }
  return last?.leaf;
}

interface BranchEnd {
  /** The last message, which may be queued. */
  readonly leaf: EntryHead;
  /** The last that is not. */
  readonly message: EntryHead;
}

/** `undefined` for a branch without a message. */
function endBefore(tree: EntryTree, tip: EntryHead): BranchEnd | undefined {
  const chain = tree.chainTo(tip);
  const message = chain.findLast(isMessage);
  if (message === undefined) return undefined;
  const isQueued = (head: EntryHead): boolean => head.promptUuid !== undefined && !head.isMeta;
  return { leaf: chain.findLast((head) => head === message || isQueued(head)) ?? message, message };
}

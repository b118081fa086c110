import type { EntryIndex } from '@hexagent/ports';
import { EntryTree } from './entry-tree.ts';
import { withParallelTools } from './parallel-tools.ts';

/**
 * The conversation that ends with what was written last, in its order: from the last compaction on, with the messages
 * that it kept, and with every one of the tools that were called at once.
 */
export function conversationOf(index: EntryIndex, mayBeLast: (entry: number) => boolean): Int32Array {
  const tree = new EntryTree(index);
  for (const entry of tree.entries) relink(tree, entry);
  const leaf = leafOf(tree, mayBeLast);
  return leaf === undefined ? new Int32Array() : withParallelTools(tree.chainTo(leaf), tree);
}

/** What a compaction kept stays where it was written, so it is moved behind the message that it belongs to. */
function relink(tree: EntryTree, boundary: number): void {
  const preserved = tree.index.preservedIn(boundary);
  if (preserved === undefined) return;
  const { anchorUuid, uuids } = preserved;
  const kept = keptMessages(tree, uuids);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return;
  for (const entry of tree.entries) {
    const uuid = tree.index.uuidOf(entry);
    if (tree.parentOf(entry) === anchorUuid && uuid !== first) tree.move(uuid, last);
  }
  let previous = anchorUuid;
  for (const uuid of kept) {
    tree.move(uuid, previous);
    previous = uuid;
  }
}

/** None where one is missing: a conversation with a hole would show an answer without its question. */
function keptMessages(
  tree: EntryTree,
  uuids: readonly number[] | { readonly headUuid: number; readonly tailUuid: number },
): readonly number[] {
  if (!('headUuid' in uuids)) return uuids.every((uuid) => tree.entryOf(uuid) !== undefined) ? uuids : [];
  const tail = tree.entryOf(uuids.tailUuid);
  const chain = tail === undefined ? [] : Array.from(tree.chainTo(tail), (entry) => tree.index.uuidOf(entry));
  const start = chain.indexOf(uuids.headUuid);
  return start === -1 ? [] : chain.slice(start);
}

/** The last message of the branch that was written to last. */
function leafOf(tree: EntryTree, mayBeLast: (entry: number) => boolean): number | undefined {
  const { index } = tree;
  const isCandidate = (entry: number): boolean => tree.entryOf(index.uuidOf(entry)) === entry && mayBeLast(entry);
  const hasChild = new Uint8Array(index.uuidCount);
  for (let entry = 0; entry < index.count; entry += 1) {
    const parent = isCandidate(entry) ? tree.parentOf(entry) : undefined;
    if (parent !== undefined) hasChild[parent] = 1;
  }
  // A queued message may follow the same message as notes that were written later: it ends the conversation then.
  let last: { readonly leaf: number; readonly message: number } | undefined;
  for (let entry = index.count - 1; entry >= 0 && entry > (last?.leaf ?? -1); entry -= 1) {
    if (hasChild[index.uuidOf(entry)] === 1 || !isCandidate(entry)) continue;
    const end = endBefore(tree, entry);
    if (last === undefined || (end !== undefined && end.message === last.message && end.leaf > last.leaf)) last = end;
  }
  return last?.leaf;
}

/** The last message of the branch that ends here, which may be queued, and the last that is not; `undefined` where it has none. */
function endBefore(tree: EntryTree, entry: number): { readonly leaf: number; readonly message: number } | undefined {
  const { index } = tree;
  const chain = tree.chainTo(entry);
  const message = chain.findLast((each) => isMessage(index, each));
  if (message === undefined) return undefined;
  const isQueued = (each: number): boolean => index.promptUuidOf(each) !== undefined && !index.isMeta(each);
  return { leaf: chain.findLast((each) => each === message || isQueued(each)) ?? message, message };
}

function isMessage(index: EntryIndex, entry: number): boolean {
  const type = index.typeOf(entry);
  return type === 'user' || type === 'assistant';
}

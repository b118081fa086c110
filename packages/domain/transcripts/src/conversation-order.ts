import type { EntryHead } from '@hexagent/ports';
import { withParallelTools } from './parallel-tools.ts';

/** The entries by their uuid, and which of them have another parent in the conversation than the one they name. */
interface Links {
  readonly byUuid: ReadonlyMap<string, EntryHead>;
  readonly moved: Map<string, string | undefined>;
}

function parentOf({ uuid, parentUuid }: EntryHead, { moved }: Links): string | undefined {
  // Most transcripts have moved nothing.
  return moved.size > 0 && moved.has(uuid) ? moved.get(uuid) : parentUuid;
}

/**
 * The conversation that ends with what was written last, in its order: from the last compaction on, with the messages
 * that it kept, and with every one of the tools that were called at once.
 */
export function conversationOf(
  heads: readonly EntryHead[],
  mayBeLast: (head: EntryHead) => boolean,
): readonly EntryHead[] {
  const links = linksOf(heads);
  for (const head of heads) if (head.preserved !== undefined) relink(links, head);
  const leaf = leafOf(heads.filter(mayBeLast), links);
  if (leaf === undefined) return [];
  return withParallelTools(chainTo(leaf, links), [...links.byUuid.values()]);
}

/** Reports of progress are left out, and what follows one is linked to what came before it. */
function linksOf(heads: readonly EntryHead[]): Links {
  const all = new Map<string, EntryHead>();
  for (const head of heads) all.set(head.uuid, head);
  const moved = new Map<string, string | undefined>();
  const progress = heads.filter(({ type }) => type === 'progress');
  if (progress.length === 0) return { byUuid: all, moved };
  const byUuid = new Map<string, EntryHead>();
  for (const head of all.values()) {
    if (head.type === 'progress') continue;
    byUuid.set(head.uuid, head);
    const parent = skipProgress(head.parentUuid, all);
    if (parent !== head.parentUuid) moved.set(head.uuid, parent);
  }
  return { byUuid, moved };
}

function skipProgress(uuid: string | undefined, all: ReadonlyMap<string, EntryHead>): string | undefined {
  const seen = new Set<string>();
  let parent = uuid;
  while (parent !== undefined && !seen.has(parent)) {
    const head = all.get(parent);
    if (head?.type !== 'progress') return parent;
    seen.add(parent);
    parent = head.parentUuid;
  }
  return undefined;
}

/** What a compaction kept stays where it was written, so it is moved behind the message that it belongs to. */
function relink(links: Links, { preserved }: EntryHead): void {
  const kept = keptMessages(links, preserved);
  const [first, last] = [kept[0], kept.at(-1)];
  if (preserved === undefined || first === undefined || last === undefined) return;
  const { anchorUuid } = preserved;
  if (!links.byUuid.has(anchorUuid)) return;
  for (const head of links.byUuid.values())
    if (parentOf(head, links) === anchorUuid && head.uuid !== first) links.moved.set(head.uuid, last);
  let previous = anchorUuid;
  for (const uuid of kept) {
    links.moved.set(uuid, previous);
    previous = uuid;
  }
}

/** None where one is missing: a conversation with a hole would show an answer without its question. */
function keptMessages(links: Links, preserved: EntryHead['preserved']): readonly string[] {
  if (preserved === undefined) return [];
  const { uuids } = preserved;
  if (!('headUuid' in uuids)) return uuids.every((uuid) => links.byUuid.has(uuid)) ? uuids : [];
  const tail = links.byUuid.get(uuids.tailUuid);
  const chain = tail === undefined ? [] : chainTo(tail, links).map(({ uuid }) => uuid);
  const start = chain.indexOf(uuids.headUuid);
  return start === -1 ? [] : chain.slice(start);
}

/** The last message of the branch that was written to last. */
function leafOf(heads: readonly EntryHead[], links: Links): EntryHead | undefined {
  // Nearly always it is what was written last, and then nothing need be gathered.
  const newest = heads.at(-1);
  if (newest !== undefined && !heads.some((head) => parentIn(head, links) === newest.uuid)) {
    const leaf = leafBefore(newest, links);
    if (leaf !== undefined) return leaf;
  }
  const withChildren = new Set<string | undefined>();
  for (const head of heads) withChildren.add(parentIn(head, links));
  for (let index = heads.length - 1; index >= 0; index -= 1) {
    const head = heads[index];
    const leaf = head === undefined || withChildren.has(head.uuid) ? undefined : leafBefore(head, links);
    if (leaf !== undefined) return leaf;
  }
  return undefined;
}

/** The parent of what is in the conversation: a report of progress is no child. */
function parentIn({ uuid }: EntryHead, links: Links): string | undefined {
  const head = links.byUuid.get(uuid);
  return head && parentOf(head, links);
}

/** The last message of the branch that ends here; `undefined` where nothing was said in it. */
function leafBefore(head: EntryHead, links: Links): EntryHead | undefined {
  if (!links.byUuid.has(head.uuid)) return undefined;
  const chain = chainTo(head, links);
  return chain.some(isSaid) ? chain.findLast((each) => isSaid(each) || each.promptUuid !== undefined) : undefined;
}

const isSaid = ({ type }: EntryHead): boolean => type === 'user' || type === 'assistant';

/** From the first entry to this one. A link to what is missing, or back into the chain, is where it begins. */
function chainTo(last: EntryHead, links: Links): readonly EntryHead[] {
  const chain: EntryHead[] = [];
  for (let head: EntryHead | undefined = last; head !== undefined; head = before(head, links)) {
    chain.push(head);
    // Longer than all there is: it leads back into itself, which is rare enough to begin again and remember each.
    if (chain.length > links.byUuid.size) return chainUntilSeen(last, links);
  }
  return chain.toReversed();
}

function chainUntilSeen(last: EntryHead, links: Links): readonly EntryHead[] {
  const chain = new Set<EntryHead>();
  for (let head: EntryHead | undefined = last; head !== undefined && !chain.has(head); head = before(head, links)) {
    chain.add(head);
  }
  return [...chain].toReversed();
}

function before(head: EntryHead, links: Links): EntryHead | undefined {
  const parent = parentOf(head, links);
  return parent === undefined ? undefined : links.byUuid.get(parent);
}

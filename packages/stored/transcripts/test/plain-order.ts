import { headOf } from '@hexagent/checks';
import type { EntryHead, TranscriptEntry } from '@hexagent/ports';

/** The heads by their uuid, and which of them have another parent in the conversation than the one they name. */
interface Tree {
  readonly byUuid: Map<string, EntryHead>;
  readonly moved: Map<string, string | undefined>;
}

/**
 * The order of a conversation as one would write it down first: with an object for each entry, maps of texts, and a
 * search wherever one is needed. What orders numbers has to agree with it.
 */
export function plainOrder(entries: readonly TranscriptEntry[]): readonly string[] {
  const heads = entries.map((entry) => headOf(entry)).filter((head) => head !== undefined);
  const tree = withoutProgress(heads);
  for (const head of tree.byUuid.values()) relink(tree, head);
  const candidates = heads
    .filter((head) => tree.byUuid.get(head.uuid) === head)
    .filter(({ isSidechain, isTeammates }) => !isSidechain && !isTeammates);
  const parents = new Set(candidates.map((head) => parentOf(head, tree)));
  const endOf = (tip: EntryHead): EntryHead | undefined => {
    const chain = chainTo(tip, tree);
    const isEnd = (head: EntryHead): boolean => isMessage(head) || head.promptUuid !== undefined;
    return chain.some(isMessage) ? chain.findLast(isEnd) : undefined;
  };
  const leaf = candidates
    .toReversed()
    .filter(({ uuid }) => !parents.has(uuid))
    .reduce<EntryHead | undefined>((last, tip) => {
      if (last === undefined) return endOf(tip);
      const end = heads.indexOf(tip) > heads.indexOf(last) ? endOf(tip) : undefined;
      const messageBefore = (head: EntryHead): EntryHead | undefined => chainTo(head, tree).findLast(isMessage);
      const isLater =
        end !== undefined && messageBefore(end) === messageBefore(last) && heads.indexOf(end) > heads.indexOf(last);
      return isLater ? end : last;
    }, undefined);
  if (leaf === undefined) return [];
  return withParallelTools(chainTo(leaf, tree), tree)
    .filter((head, place, all) => head.promptUuid === undefined || mayBeAnswered(all.slice(place + 1), entries))
    .filter((head) => isMessage(head) || head.promptUuid !== undefined)
    .filter(({ isSidechain, isTeammates, isMeta }) => !isSidechain && !isTeammates && !isMeta)
    .map(({ uuid, promptUuid }) => promptUuid ?? uuid);
}

/** Whether what follows a queued prompt is no other prompt. */
function mayBeAnswered(following: readonly EntryHead[], entries: readonly TranscriptEntry[]): boolean {
  const isForModel = ({ uuid, isMeta }: EntryHead): boolean =>
    isMeta || entries.findLast((entry) => entry['uuid'] === uuid)?.['isCompactSummary'] === true;
  const isResult = ({ toolUseIds }: EntryHead): boolean => toolUseIds.length > 0;
  const counts = (head: EntryHead): boolean => head.type === 'assistant' || isResult(head) || !isForModel(head);
  const next = following.find((head) => isMessage(head) && counts(head));
  if (next === undefined) return !following.some(isMessage);
  return next.type === 'assistant' || isResult(next);
}

const isMessage = ({ type }: EntryHead): boolean => type === 'user' || type === 'assistant';
const parentOf = ({ uuid, parentUuid }: EntryHead, { moved }: Tree): string | undefined =>
  moved.has(uuid) ? moved.get(uuid) : parentUuid;

function withoutProgress(heads: readonly EntryHead[]): Tree {
  const all = new Map(heads.map((head) => [head.uuid, head]));
  const tree: Tree = { byUuid: new Map(), moved: new Map() };
  for (const [uuid, head] of all) {
    if (head.type === 'progress') continue;
    tree.byUuid.set(uuid, head);
    const passed: (string | undefined)[] = [];
    let parent = head.parentUuid;
    while (parent !== undefined && all.get(parent)?.type === 'progress') {
      passed.push(parent);
      const above: string | undefined = all.get(parent)?.parentUuid;
      parent = passed.includes(above) ? undefined : above;
    }
    tree.moved.set(uuid, parent);
  }
  return tree;
}

function chainTo(last: EntryHead, tree: Tree): readonly EntryHead[] {
  const chain: EntryHead[] = [];
  for (let head: EntryHead | undefined = last; head !== undefined && !chain.includes(head);) {
    chain.unshift(head);
    const parent: string | undefined = parentOf(head, tree);
    head = parent === undefined ? undefined : tree.byUuid.get(parent);
  }
  return chain;
}

function relink(tree: Tree, { preserved }: EntryHead): void {
  if (preserved === undefined) return;
  const kept = keptBy(tree, preserved.uuids);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined) return;
  for (const head of tree.byUuid.values())
    if (parentOf(head, tree) === preserved.anchorUuid && head.uuid !== first) tree.moved.set(head.uuid, last);
  for (const [place, uuid] of kept.entries()) tree.moved.set(uuid, kept[place - 1] ?? preserved.anchorUuid);
}

function keptBy(tree: Tree, uuids: NonNullable<EntryHead['preserved']>['uuids']): readonly string[] {
  if (!('headUuid' in uuids)) return uuids.every((uuid) => tree.byUuid.has(uuid)) ? uuids : [];
  const tail = tree.byUuid.get(uuids.tailUuid);
  const chain = tail === undefined ? [] : chainTo(tail, tree).map(({ uuid }) => uuid);
  return chain.includes(uuids.headUuid) ? chain.slice(chain.indexOf(uuids.headUuid)) : [];
}

function withParallelTools(chain: readonly EntryHead[], tree: Tree): readonly EntryHead[] {
  const all = [...tree.byUuid.values()];
  const isBlock = (head: EntryHead): boolean => head.type === 'assistant' && head.messageId !== undefined;
  const results = all
    .filter(({ type, toolUseIds }) => type === 'user' && toolUseIds.length > 0)
    .filter((head) => head.parentUuid !== undefined || chain.includes(head));
  const answered = new Set(results.filter((result) => chain.includes(result)).flatMap(({ toolUseIds }) => toolUseIds));
  const order = chain.flatMap((head) => {
    const sameAnswer = (other: EntryHead): boolean => isBlock(other) && other.messageId === head.messageId;
    if (!isBlock(head) || chain.findLast(sameAnswer) !== head) return [head];
    const blocks = all.filter(sameAnswer);
    const hanging = blocks.flatMap(({ uuid }) => results.filter((result) => parentOf(result, tree) === uuid));
    const known = new Set([...answered, ...hanging.flatMap(({ toolUseIds }) => toolUseIds)]);
    const calls = blocks.flatMap(({ toolUseIds }) => toolUseIds).filter((id) => !known.has(id));
    const elsewhere = calls.flatMap((id) => results.filter(({ toolUseIds }) => toolUseIds.includes(id)));
    const found = [...new Set([...hanging, ...elsewhere])];
    const isMissing = (other: EntryHead): boolean => !chain.includes(other);
    return [head, ...blocks.filter(isMissing).toSorted(byTime), ...found.filter(isMissing).toSorted(byTime)];
  });
  return [...new Set(order)];
}

const byTime = ({ timestamp: one = '' }: EntryHead, { timestamp: other = '' }: EntryHead): number =>
  one < other ? -1 : one > other ? 1 : 0;

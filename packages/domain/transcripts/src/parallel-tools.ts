import type { EntryHead } from '@hexagent/ports';

/**
 * Tools that the model calls at once branch the tree: each block of the answer is an entry, and each result hangs on the
 * block that asked for it, so that a chain has only one of them. This adds the others behind the last block of the
 * answer that the chain has: first the blocks, then their results, each by time.
 */
export function withParallelTools(chain: readonly EntryHead[], all: readonly EntryHead[]): readonly EntryHead[] {
  // Nearly always the chain has everything, and then nothing need be gathered.
  if (chain.length === all.length) return chain;
  const inChain = new Set(chain);
  const lastOf = new Map(chain.filter(isBlock).map((head) => [head.messageId, head]));
  const isMissing = all.some((head) => !inChain.has(head) && (isBlock(head) || isResult(head)));
  if (lastOf.size === 0 || !isMissing) return chain;
  const answers = new Map<string, EntryHead[]>();
  for (const head of all) if (isBlock(head) && lastOf.has(head.messageId)) add(answers, head.messageId, head);
  const results = new Results(all, chain);
  return chain.flatMap((head) => {
    if (head.messageId === undefined || lastOf.get(head.messageId) !== head) return [head];
    const blocks = answers.get(head.messageId) ?? [];
    const missing = blocks.filter((block) => !inChain.has(block));
    const missingResults = results.of(blocks).filter((result) => !inChain.has(result));
    return [head, ...missing.toSorted(byTime), ...missingResults.toSorted(byTime)];
  });
}

interface Block extends EntryHead {
  readonly messageId: string;
}

const isBlock = (head: EntryHead): head is Block => head.type === 'assistant' && head.messageId !== undefined;

interface Result extends EntryHead {
  readonly toolUseIds: readonly string[];
}

const isResult = (head: EntryHead): head is Result => head.type === 'user' && head.toolUseIds !== undefined;

/** Finds the results of tools by the entry that they hang on, and by the call that they name. */
class Results {
  readonly #byParent = new Map<string, EntryHead[]>();
  readonly #byCall = new Map<string, EntryHead[]>();
  readonly #answered: ReadonlySet<string>;

  constructor(all: readonly EntryHead[], chain: readonly EntryHead[]) {
    this.#answered = new Set(chain.filter(isResult).flatMap(({ toolUseIds }) => toolUseIds));
    for (const head of all) {
      if (!isResult(head)) continue;
      if (head.parentUuid !== undefined) add(this.#byParent, head.parentUuid, head);
      for (const id of head.toolUseIds) add(this.#byCall, id, head);
    }
  }

  of(blocks: readonly EntryHead[]): readonly EntryHead[] {
    const found = new Set(blocks.flatMap(({ uuid }) => this.#byParent.get(uuid) ?? []));
    const answered = new Set([...found].flatMap(({ toolUseIds = [] }) => toolUseIds));
    for (const { toolUseIds = [] } of blocks)
      for (const id of toolUseIds)
        // A result that hangs elsewhere counts only for a call that has no other.
        if (!answered.has(id) && !this.#answered.has(id))
          for (const result of this.#byCall.get(id) ?? []) found.add(result);
    return [...found];
  }
}

function add(lists: Map<string, EntryHead[]>, key: string, head: EntryHead): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [head]);
  else list.push(head);
}

/** Times are written in one form, so their text has their order. */
function byTime({ timestamp: one = '' }: EntryHead, { timestamp: other = '' }: EntryHead): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

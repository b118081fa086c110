import { isRecord, SdkError, type EntryIndex, type Ids, type Transcript, type TranscriptEntry } from '@hexagent/ports';

export interface Fork {
  readonly source: Transcript;
  readonly sourceId: string;
  readonly sessionId: string;
  readonly upToMessageId: string | undefined;
  readonly ids: Ids;
  /** In ISO form. */
  readonly now: string;
}

/** What names the original or its people, and would be wrong of the copy. */
const notCopied = ['slug', 'teamName', 'agentName', 'turnAttributionKey', 'sourceToolAssistantUUID'];

/**
 * The entries of a copy: the whole tree up to a message, with other uuids and the same links. The messages of subagents
 * and bookkeeping are not copied.
 * @throws {SdkError} `SESSION_NOT_FOUND` when the message or anything to copy is missing.
 */
export async function forkedEntries(fork: Fork): Promise<AsyncIterable<readonly TranscriptEntry[]>> {
  const index = await fork.source.index();
  const end = endOf(index, fork);
  const copied: number[] = [];
  for (let entry = 0; entry < end; entry += 1)
    if (index.typeOf(entry) !== 'progress' && !index.isSidechain(entry)) copied.push(entry);
  if (copied.length === 0 && fork.upToMessageId === undefined)
    throw new SdkError('SESSION_NOT_FOUND', `Session ${fork.sourceId} has no messages to fork.`);
  return copiesOf(index, copied, linksOf(index, copied, fork.ids), fork);
}

/** Where the copy ends: behind the message. A compaction that has no summary yet is left out as a whole. */
function endOf(index: EntryIndex, { upToMessageId, sourceId }: Fork): number {
  if (upToMessageId === undefined) return index.count;
  const last = firstNamed(index, index.findUuid(upToMessageId));
  if (last === undefined)
    throw new SdkError('SESSION_NOT_FOUND', `Message ${upToMessageId} not found in session ${sourceId}.`);
  let boundary = last;
  while (boundary >= 0 && !index.isBoundary(boundary)) boundary -= 1;
  return boundary >= 0 && isUnfinished(index, boundary, last) ? boundary : last + 1;
}

function firstNamed(index: EntryIndex, uuid: number | undefined): number | undefined {
  if (uuid === undefined) return undefined;
  for (let entry = 0; entry < index.count; entry += 1)
    if (index.uuidOf(entry) === uuid || index.promptUuidOf(entry) === uuid) return entry;
  return undefined;
}

/** Whether a compaction has no result until the last entry. */
function isUnfinished(index: EntryIndex, boundary: number, last: number): boolean {
  const anchor = index.preservedIn(boundary)?.anchorUuid;
  for (let entry = 0; entry <= last; entry += 1) {
    const type = index.typeOf(entry);
    if (entry >= boundary && (type === 'user' || type === 'assistant')) return false;
    if (index.uuidOf(entry) === anchor) return false;
  }
  return true;
}

interface Links {
  readonly uuids: ReadonlyMap<string, string>;
  readonly parents: ReadonlyMap<string, string | undefined>;
}

/** A new uuid for each entry, and the parent of each: what is not copied is skipped. */
function linksOf(index: EntryIndex, copied: readonly number[], ids: Ids): Links {
  const textOf = (entry: number): string => index.uuidText(index.uuidOf(entry));
  const uuids = new Map(copied.map((entry) => [textOf(entry), ids.uuid()]));
  const isCopied = new Set(copied.map((entry) => index.uuidOf(entry)));
  const byUuid = new Map<number, number>();
  for (let entry = 0; entry < index.count; entry += 1) byUuid.set(index.uuidOf(entry), entry);
  const parentOf = (entry: number): string | undefined => {
    const seen = new Set<number>();
    let parent = index.parentUuidOf(entry);
    while (parent !== undefined && !isCopied.has(parent) && !seen.has(parent)) {
      seen.add(parent);
      const skipped = byUuid.get(parent);
      parent = skipped === undefined ? undefined : index.parentUuidOf(skipped);
    }
    return parent === undefined ? undefined : uuids.get(index.uuidText(parent));
  };
  return { uuids, parents: new Map(copied.map((entry) => [textOf(entry), parentOf(entry)])) };
}

async function* copiesOf(
  index: EntryIndex,
  copied: readonly number[],
  links: Links,
  fork: Fork,
): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
  const last = copied.at(-1);
  const lastUuid = last === undefined ? undefined : index.uuidText(index.uuidOf(last));
  for await (const entries of index.entriesOf(copied))
    yield entries
      .filter((entry) => entry !== undefined)
      .map((entry) => {
        const copy = copyOf(entry, links, fork);
        // The agent continues from what was written last.
        return entry['uuid'] === lastUuid ? { ...copy, timestamp: fork.now } : copy;
      });
}

function copyOf(entry: TranscriptEntry, { uuids, parents }: Links, fork: Fork): TranscriptEntry {
  const messageUuid = String(entry['uuid']);
  const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !notCopied.includes(name)));
  const { logicalParentUuid, compactMetadata } = entry;
  return {
    ...rest,
    type: entry.type,
    parentUuid: parents.get(messageUuid) ?? null,
    ...(typeof logicalParentUuid === 'string' && { logicalParentUuid: uuids.get(logicalParentUuid) ?? null }),
    ...(isRecord(compactMetadata) && { compactMetadata: copyOfMetadata(compactMetadata, uuids, fork) }),
    isSidechain: false,
    uuid: uuids.get(messageUuid),
    sessionId: fork.sessionId,
    ...(entry.type === 'assistant' && { requestSessionId: entry['requestSessionId'] ?? fork.sourceId }),
    forkedFrom: { sessionId: fork.sourceId, messageUuid },
  };
}

/** Uuids within what a compaction notes of itself are renamed too. A copy that ends with the summary keeps no messages behind it. */
function copyOfMetadata(
  metadata: Readonly<Record<string, unknown>>,
  uuids: ReadonlyMap<string, string>,
  { upToMessageId }: Fork,
): Readonly<Record<string, unknown>> {
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return uuids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(renamed);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, renamed(field)]))
      : value;
  };
  const { preservedSegment, preservedMessages, ...rest } = metadata;
  const anchors = [preservedSegment, preservedMessages].map((kept) =>
    isRecord(kept) ? kept['anchorUuid'] : undefined,
  );
  if (upToMessageId !== undefined && anchors.includes(upToMessageId)) return rest;
  return {
    ...rest,
    ...(preservedSegment !== undefined && { preservedSegment: renamed(preservedSegment) }),
    ...(preservedMessages !== undefined && { preservedMessages: renamed(preservedMessages) }),
  };
}

import { isRecord, SdkError, type EntryHead, type Ids, type Transcript, type TranscriptEntry } from '@hexagent/ports';
import { headsOf } from './heads-of.ts';

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
  const heads = await headsOf(fork.source);
  const copied = upTo(heads, fork).filter(({ type, isSidechain }) => type !== 'progress' && !isSidechain);
  if (copied.length === 0 && fork.upToMessageId === undefined)
    throw new SdkError('SESSION_NOT_FOUND', `Session ${fork.sourceId} has no messages to fork.`);
  return copiesOf(copied, linksOf(heads, copied, fork.ids), fork);
}

/** Everything that was written until the message. A compaction that has no summary yet is left out as a whole. */
function upTo(heads: readonly EntryHead[], { upToMessageId, sourceId }: Fork): readonly EntryHead[] {
  if (upToMessageId === undefined) return heads;
  const last = heads.findIndex(({ uuid, promptUuid }) => uuid === upToMessageId || promptUuid === upToMessageId);
  if (last === -1)
    throw new SdkError('SESSION_NOT_FOUND', `Message ${upToMessageId} not found in session ${sourceId}.`);
  const kept = heads.slice(0, last + 1);
  const boundary = kept.findLastIndex(({ isBoundary }) => isBoundary);
  const isUnfinished =
    boundary !== -1 &&
    !kept.slice(boundary).some(({ type }) => type === 'user' || type === 'assistant') &&
    !kept.some(({ uuid }) => uuid === kept[boundary]?.preserved?.anchorUuid);
  return isUnfinished ? kept.slice(0, boundary) : kept;
}

interface Links {
  readonly uuids: ReadonlyMap<string, string>;
  readonly parents: ReadonlyMap<string, string | undefined>;
}

/** A new uuid for each entry, and the parent of each: what is not copied is skipped. */
function linksOf(heads: readonly EntryHead[], copied: readonly EntryHead[], ids: Ids): Links {
  const uuids = new Map(copied.map(({ uuid }) => [uuid, ids.uuid()]));
  const all = new Map(heads.map((head) => [head.uuid, head]));
  const parentOf = (uuid: string | undefined): string | undefined => {
    const seen = new Set<string>();
    let parent = uuid;
    while (parent !== undefined && !uuids.has(parent) && !seen.has(parent)) {
      seen.add(parent);
      parent = all.get(parent)?.parentUuid;
    }
    return parent === undefined ? undefined : uuids.get(parent);
  };
  return { uuids, parents: new Map(copied.map(({ uuid, parentUuid }) => [uuid, parentOf(parentUuid)])) };
}

async function* copiesOf(
  copied: readonly EntryHead[],
  links: Links,
  fork: Fork,
): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
  const last = copied.at(-1)?.uuid;
  for await (const entries of fork.source.entriesOf(copied))
    yield entries
      .filter((entry) => entry !== undefined)
      .map((entry) => {
        const copy = copyOf(entry, links, fork);
        // The agent goes on from what was written last.
        return entry['uuid'] === last ? { ...copy, timestamp: fork.now } : copy;
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

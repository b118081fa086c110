import { isRecord } from '@hexagent/checks';
import {
  SdkError,
  type EntryHead,
  type EntryIndex,
  type Ids,
  type Transcript,
  type TranscriptEntry,
} from '@hexagent/ports';
import { isMessage } from './conversation-order.ts';

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
const notCopied = [
  'slug',
  'teamName',
  'agentName',
  'turnAttributionKey',
  'sourceToolAssistantUUID',
  'sessionKind',
  'requestSessionId',
];

/**
 * The entries of a copy: the whole tree up to a message, with other uuids and the same links. The messages of subagents
 * and bookkeeping are not copied.
 * @throws {SdkError} `SESSION_NOT_FOUND` when the message or anything to copy is missing.
 */
export async function forkedEntries(fork: Fork): Promise<AsyncIterable<readonly TranscriptEntry[]>> {
  const index = await fork.source.index();
  const upTo = headsUpTo(
    index.heads.filter(({ isSidechain }) => !isSidechain),
    fork,
  );
  const copied = upTo.filter(({ type }) => type !== 'progress');
  if (copied.length === 0) throw new SdkError('SESSION_NOT_FOUND', `Session ${fork.sourceId} has no messages to fork.`);
  const uuids = new Map(upTo.map(({ uuid }) => [uuid, fork.ids.uuid()]));
  const parentOf = parentFinder(index.heads, copied);
  return copiesOf(index, copied, (head, entry) => {
    const parent = parentOf(head);
    const copy = copyOf(entry, { uuids, parent: parent === undefined ? undefined : uuids.get(parent) }, fork);
    // The agent continues from what was written last.
    return head === copied.at(-1) ? { ...copy, timestamp: fork.now } : copy;
  });
}

/** The entries up to the message. A compaction that has no summary yet is left out as a whole. */
function headsUpTo(all: readonly EntryHead[], { upToMessageId, sourceId }: Fork): readonly EntryHead[] {
  if (upToMessageId === undefined) return all;
  const last = all.findIndex(({ uuid, promptUuid }) => uuid === upToMessageId || promptUuid === upToMessageId);
  if (last === -1)
    throw new SdkError('SESSION_NOT_FOUND', `Message ${upToMessageId} not found in session ${sourceId}.`);
  const upTo = all.slice(0, last + 1);
  const boundary = upTo.findLastIndex(({ isBoundary }) => isBoundary);
  // A compaction with nothing before it stays: the copy would be empty.
  return boundary > 0 && isUnfinished(upTo, boundary) ? upTo.slice(0, boundary) : upTo;
}

/** Whether a compaction has no result until the last entry. */
function isUnfinished(upTo: readonly EntryHead[], boundary: number): boolean {
  const anchor = upTo[boundary]?.preserved?.anchorUuid;
  return !upTo.slice(boundary).some(isMessage) && !upTo.some(({ uuid }) => uuid === anchor);
}

/** The uuid that a copied entry hangs on: what is not copied is skipped. Two entries with the same uuid may have different parents. */
function parentFinder(
  all: readonly EntryHead[],
  copied: readonly EntryHead[],
): (head: EntryHead) => string | undefined {
  const isCopied = new Set(copied.map(({ uuid }) => uuid));
  const skipped = new Map(
    all.filter(({ type, isSidechain }) => type === 'progress' || isSidechain).map((head) => [head.uuid, head]),
  );
  return ({ parentUuid }) => {
    const seen = new Set<string>();
    let parent = parentUuid;
    while (parent !== undefined && !isCopied.has(parent) && !seen.has(parent)) {
      seen.add(parent);
      parent = skipped.get(parent)?.parentUuid;
    }
    return parent;
  };
}

async function* copiesOf(
  index: EntryIndex,
  copied: readonly EntryHead[],
  toCopy: (head: EntryHead, entry: TranscriptEntry) => TranscriptEntry,
): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
  for await (const entries of index.entriesOf(copied)) yield entries.map(([head, entry]) => toCopy(head, entry));
}

interface EntryLinks {
  readonly uuids: ReadonlyMap<string, string>;
  readonly parent: string | undefined;
}

function copyOf(entry: TranscriptEntry, { uuids, parent }: EntryLinks, fork: Fork): TranscriptEntry {
  const messageUuid = String(entry['uuid']);
  const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !notCopied.includes(name)));
  const { logicalParentUuid, compactMetadata } = entry;
  return {
    ...rest,
    type: entry.type,
    parentUuid: parent ?? null,
    ...(Boolean(logicalParentUuid) && { logicalParentUuid: uuids.get(String(logicalParentUuid)) ?? null }),
    ...(isRecord(compactMetadata) && { compactMetadata: copyOfMetadata(compactMetadata, uuids, fork) }),
    isSidechain: false,
    uuid: uuids.get(messageUuid),
    sessionId: fork.sessionId,
    ...(entry.type === 'assistant' && requestedIn(entry, fork)),
    forkedFrom: { sessionId: fork.sourceId, messageUuid },
  };
}

/** The session in which the model was asked: the original, or the one that this was copied from itself. */
function requestedIn({ requestSessionId, sessionId }: TranscriptEntry, { sourceId }: Fork): object {
  const asked = requestSessionId ?? (sessionId === undefined ? sourceId : sessionId);
  return typeof asked === 'string' ? { requestSessionId: asked } : {};
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

import { isRecord } from '@hexagent/checks';
import { SdkError, type EntryIndex, type Ids, type Transcript, type TranscriptEntry } from '@hexagent/ports';

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
  const all: number[] = [];
  for (let entry = 0; entry < index.count; entry += 1) if (!index.isSidechain(entry)) all.push(entry);
  const upTo = all.slice(0, endOf(index, all, fork));
  const copied = upTo.filter((entry) => index.typeOf(entry) !== 'progress');
  if (copied.length === 0) throw new SdkError('SESSION_NOT_FOUND', `Session ${fork.sourceId} has no messages to fork.`);
  return copiesOf(index, copied, linksOf(index, { upTo, copied }, fork.ids), fork);
}

/** How many of the entries are copied: up to the message. A compaction that has no summary yet is left out as a whole. */
function endOf(index: EntryIndex, all: readonly number[], { upToMessageId, sourceId }: Fork): number {
  if (upToMessageId === undefined) return all.length;
  const uuid = index.findUuid(upToMessageId);
  const last = all.findIndex((entry) => index.uuidOf(entry) === uuid || index.promptUuidOf(entry) === uuid);
  if (uuid === undefined || last === -1)
    throw new SdkError('SESSION_NOT_FOUND', `Message ${upToMessageId} not found in session ${sourceId}.`);
  const upTo = all.slice(0, last + 1);
  const boundary = upTo.findLastIndex((entry) => index.isBoundary(entry));
  // A compaction with nothing before it stays: the copy would be empty.
  return boundary > 0 && isUnfinished(index, upTo, boundary) ? boundary : last + 1;
}

/** Whether a compaction has no result until the last entry. */
function isUnfinished(index: EntryIndex, upTo: readonly number[], boundary: number): boolean {
  const anchor = index.preservedIn(upTo[boundary] ?? 0)?.anchorUuid;
  return !upTo.some((entry, place) => {
    const type = index.typeOf(entry);
    return (place >= boundary && (type === 'user' || type === 'assistant')) || index.uuidOf(entry) === anchor;
  });
}

interface Links {
  readonly uuids: ReadonlyMap<string, string>;
  /** Of each entry that is copied, in their order: two entries with the same uuid may have different parents. */
  readonly parents: readonly (string | undefined)[];
}

/** A new uuid for each entry, and the parent of each: what is not copied is skipped. */
function linksOf(
  index: EntryIndex,
  { upTo, copied }: { readonly upTo: readonly number[]; readonly copied: readonly number[] },
  ids: Ids,
): Links {
  const textOf = (entry: number): string => index.uuidText(index.uuidOf(entry));
  const uuids = new Map(upTo.map((entry) => [textOf(entry), ids.uuid()]));
  const isCopied = new Set(copied.map((entry) => index.uuidOf(entry)));
  const skippedByUuid = new Map<number, number>();
  for (let entry = 0; entry < index.count; entry += 1)
    if (index.typeOf(entry) === 'progress' || index.isSidechain(entry)) skippedByUuid.set(index.uuidOf(entry), entry);
  const parentOf = (entry: number): string | undefined => {
    const seen = new Set<number>();
    let parent = index.parentUuidOf(entry);
    while (parent !== undefined && !isCopied.has(parent) && !seen.has(parent)) {
      seen.add(parent);
      const skipped = skippedByUuid.get(parent);
      parent = skipped === undefined ? undefined : index.parentUuidOf(skipped);
    }
    return parent === undefined ? undefined : uuids.get(index.uuidText(parent));
  };
  return { uuids, parents: copied.map(parentOf) };
}

async function* copiesOf(
  index: EntryIndex,
  copied: readonly number[],
  links: Links,
  fork: Fork,
): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
  let place = -1;
  const copyNext = (entry: TranscriptEntry | undefined): readonly TranscriptEntry[] => {
    place += 1;
    if (entry === undefined) return [];
    const copy = copyOf(entry, { uuids: links.uuids, parent: links.parents[place] }, fork);
    // The agent continues from what was written last.
    return [place === copied.length - 1 ? { ...copy, timestamp: fork.now } : copy];
  };
  for await (const entries of index.entriesOf(copied)) yield entries.flatMap(copyNext);
}

interface EntryLinks extends Pick<Links, 'uuids'> {
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

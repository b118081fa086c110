import type { EntryHead, PreservedMessages, TranscriptEntry } from '@hexagent/ports';

/** What the order of a conversation needs of an entry that is in memory. */
export function headOf(entry: TranscriptEntry, place: number): EntryHead {
  const { type, message } = entry;
  return {
    place,
    size: 1,
    type,
    subtype: stringIn(entry, 'subtype'),
    uuid: stringIn(entry, 'uuid'),
    parentUuid: stringIn(entry, 'parentUuid'),
    isSidechain: entry['isSidechain'] === true,
    isMeta: entry['isMeta'] === true,
    isCompactSummary: entry['isCompactSummary'] === true,
    messageId: stringIn(message, 'id'),
    teamName: stringIn(entry, 'teamName'),
    preserved: preservedIn(entry),
  };
}

function preservedIn({ compactMetadata }: TranscriptEntry): PreservedMessages | undefined {
  const preserved = fieldOf(compactMetadata, 'preservedMessages');
  const anchorUuid = stringIn(preserved, 'anchorUuid');
  const uuids = fieldOf(preserved, 'uuids');
  if (anchorUuid === undefined || !Array.isArray(uuids)) return undefined;
  return { anchorUuid, uuids: uuids.filter((uuid) => typeof uuid === 'string') };
}

function stringIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

/** Entries come from files that anybody may have written, so any field may be anything. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

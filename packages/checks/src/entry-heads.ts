import type { ConversationEntryType, EntryHead, PreservedMessages } from '@hexagent/ports';
import { isRecord } from './unknown-values.ts';

const conversationTypes: ReadonlySet<unknown> = new Set<ConversationEntryType>([
  'assistant',
  'attachment',
  'progress',
  'system',
  'user',
]);

/** The head of an entry that was read; `undefined` for one that is not a part of a conversation. */
export function headOf(entry: unknown): EntryHead | undefined {
  if (!isRecord(entry)) return undefined;
  const { type, uuid, message, attachment } = entry;
  if (!isConversationType(type) || typeof uuid !== 'string') return undefined;
  const promptUuid = type === 'attachment' ? promptUuidIn(attachment, uuid) : undefined;
  return {
    type,
    uuid,
    parentUuid: textIn(entry, 'parentUuid'),
    timestamp: textIn(entry, 'timestamp'),
    isSidechain: Boolean(entry['isSidechain']),
    isMeta: Boolean(promptUuid === undefined ? entry['isMeta'] : fieldOf(attachment, 'isMeta')),
    isTeammates: Boolean(entry['teamName']),
    promptUuid,
    isBoundary: type === 'system' && entry['subtype'] === 'compact_boundary',
    messageId: type === 'assistant' ? textIn(message, 'id') : undefined,
    toolUseIds: type === 'assistant' || type === 'user' ? toolUseIdsIn(message) : [],
    preserved: type === 'system' ? preservedIn(entry) : undefined,
  };
}

/** Whether entries of this type can be part of a conversation. */
export const isConversationType = (type: unknown): type is ConversationEntryType => conversationTypes.has(type);

function promptUuidIn(attachment: unknown, own: string): string | undefined {
  if (!isRecord(attachment) || attachment['type'] !== 'queued_command') return undefined;
  if (typeof attachment['prompt'] !== 'string' && !Array.isArray(attachment['prompt'])) return undefined;
  // An empty uuid names nothing.
  return textIn(attachment, 'source_uuid') || own;
}

function toolUseIdsIn(message: unknown): readonly string[] {
  const content = fieldOf(message, 'content');
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    const type = fieldOf(block, 'type');
    const id = type === 'tool_use' ? textIn(block, 'id') : type === 'tool_result' && textIn(block, 'tool_use_id');
    return typeof id === 'string' ? [id] : [];
  });
}

function preservedIn(entry: Readonly<Record<string, unknown>>): PreservedMessages | undefined {
  if (entry['subtype'] !== 'compact_boundary') return undefined;
  const preserved = fieldOf(entry['compactMetadata'], 'preservedMessages');
  const anchorUuid = textIn(preserved, 'anchorUuid');
  const uuids = fieldOf(preserved, 'uuids');
  if (anchorUuid !== undefined && Array.isArray(uuids) && uuids.every((uuid) => typeof uuid === 'string'))
    return { anchorUuid, uuids };
  const segment = fieldOf(entry['compactMetadata'], 'preservedSegment');
  const [anchor, headUuid, tailUuid] = ['anchorUuid', 'headUuid', 'tailUuid'].map((name) => textIn(segment, name));
  if (anchor === undefined || headUuid === undefined || tailUuid === undefined) return undefined;
  return { anchorUuid: anchor, uuids: { headUuid, tailUuid } };
}

function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

/** Entries come from files that anybody may have written, so any field may be anything. */
function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

import { isRecord } from '@hexagent/checks';
import type { StoredMessage, TranscriptEntry } from '@hexagent/ports';

/** The reasons for a tool that did not run which the agent reports outside of its transcripts, too. */
const reasons: ReadonlySet<unknown> = new Set(['cancelled', 'interrupted', 'permission-rule', 'user-rejected']);

/** Whose transcript an entry is in. */
export interface TranscriptOwner {
  readonly sessionId: string;
  readonly parentAgentId?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly includeToolUseResults?: boolean | undefined;
}

/** An entry of the conversation as programs receive it; `undefined` for one that is not a message. */
export function storedMessage(
  entry: TranscriptEntry,
  owner: TranscriptOwner,
  isLocal: boolean,
): StoredMessage | undefined {
  const { attachment } = entry;
  if (entry.type === 'attachment')
    return isRecord(attachment) ? messageOf('user', queuedPrompt(entry, attachment), owner, isLocal) : undefined;
  const { type } = entry;
  if (type !== 'user' && type !== 'assistant' && type !== 'system') return undefined;
  return messageOf(type, entry, owner, isLocal);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Fields = Readonly<Record<string, unknown>>;

/** A message that came while the agent worked is stored as an attachment, which has the uuid that its sender gave it. */
function queuedPrompt(entry: TranscriptEntry, attachment: Fields): Fields {
  const { uuid, sessionId, timestamp } = entry;
  const { prompt, source_uuid, origin, isMeta } = attachment;
  return {
    uuid: typeof source_uuid === 'string' && source_uuid !== '' ? source_uuid : uuid,
    sessionId,
    timestamp,
    message: { role: 'user', content: prompt },
    // Where a message of the queue came from has a kind; other values are left out.
    origin: isRecord(origin) && typeof origin['kind'] === 'string' ? origin : undefined,
    isMeta,
    isQueuedCommand: true,
  };
}

function messageOf(
  type: StoredMessage['type'],
  entry: Fields,
  owner: TranscriptOwner,
  isLocal: boolean,
): StoredMessage {
  const { uuid, sessionId, message, timestamp, origin, toolUseResult } = entry;
  const isOther = typeof sessionId === 'string' && sessionId !== owner.sessionId;
  const stored: Writable<StoredMessage> = {
    type,
    uuid: String(uuid),
    // The id of the session that is read, where it is the same: one text for all messages.
    session_id: isOther ? sessionId : owner.sessionId,
    message,
    parent_tool_use_id: owner.toolUseId ?? null,
    parent_agent_id: owner.parentAgentId ?? null,
  };
  const isSummary = entry['isCompactSummary'] === true;
  if (isSummary) stored.isCompactSummary = true;
  if (isSummary || entry['isMeta'] === true || entry['isVisibleInTranscriptOnly'] === true) stored.is_meta = true;
  if (entry['isQueuedCommand'] === true) stored.isQueuedCommand = true;
  if (isLocal || entry['isCompletedLocalCommand'] === true) stored.isCompletedLocalCommand = true;
  if (owner.includeToolUseResults === true && toolUseResult !== undefined) stored.tool_use_result = toolUseResult;
  const meta = toolResultMeta(entry);
  if (meta !== undefined) stored.tool_result_meta = [meta];
  if (typeof timestamp === 'string') stored.timestamp = timestamp;
  if (origin) stored.origin = origin;
  return stored;
}

/** Only for a message with one result: with several, it is not defined which of them the reason belongs to. */
function toolResultMeta({ toolDenialKind, message }: Fields) {
  if (typeof toolDenialKind !== 'string' || !reasons.has(toolDenialKind) || !isRecord(message)) return undefined;
  const blocks: readonly unknown[] = Array.isArray(message['content']) ? message['content'] : [];
  const results = blocks.filter((block) => isRecord(block) && block['type'] === 'tool_result');
  const [result] = results;
  const id = isRecord(result) ? result['tool_use_id'] : undefined;
  return results.length === 1 && typeof id === 'string' ? { id, non_execution_kind: toolDenialKind } : undefined;
}

import { headOf, isConversationType, type EntryHead } from '@hexagent/ports';
import {
  afterSpace,
  endOfValue,
  isText,
  isTruthyAt,
  readObject,
  readObjects,
  textAt,
  type FieldReader,
} from './json-bytes.ts';
import { parseEntry } from './parse-entry.ts';

const typeFirst = '{"type":"';

/** What was found so far in the line that is scanned. One line is scanned at a time, and none across a wait. */
const found = {
  type: undefined as string | undefined,
  uuid: undefined as string | undefined,
  parentUuid: undefined as string | undefined,
  timestamp: undefined as string | undefined,
  messageId: undefined as string | undefined,
  toolUseIds: undefined as string[] | undefined,
  isSidechain: false,
  isMeta: false,
  isTeammates: false,
  isRare: false,
  blockType: undefined as string | undefined,
  blockId: undefined as string | undefined,
  resultOf: undefined as string | undefined,
};

/** The uuid of the line before, which most lines name as their parent: so its text is held once. */
let uuidBefore: string | undefined;

/**
 * The head of the line that is here, found in its bytes: most of a transcript is text that nobody asked for, and making
 * objects of it takes ten times as long as going over it.
 */
export function scanHead(bytes: Buffer, start: number, end: number, place: number): EntryHead | undefined {
  if (isBookkeeping(bytes, start, end)) return undefined;
  reset();
  const close = readObject(bytes, afterSpace(bytes, start, end), end, readField);
  if (close === -1 || afterSpace(bytes, close, end) !== end) return undefined;
  const { type, uuid, parentUuid, timestamp, isSidechain, isMeta, isTeammates, messageId, toolUseIds } = found;
  if (!isConversationType(type) || uuid === undefined) return undefined;
  const size = end - start;
  if (found.isRare) return headOf(parseEntry(bytes, start, end), place, size);
  const parent = parentUuid === uuidBefore ? uuidBefore : parentUuid;
  uuidBefore = uuid;
  return {
    place,
    size,
    type,
    uuid,
    parentUuid: parent,
    timestamp,
    isSidechain,
    isMeta,
    isTeammates,
    promptUuid: undefined,
    isBoundary: false,
    messageId: type === 'assistant' ? messageId : undefined,
    toolUseIds: type === 'assistant' || type === 'user' ? toolUseIds : undefined,
    preserved: undefined,
  };
}

/** Whether the first bytes of the line show that it is no part of a conversation, as most of the bulk is. */
export function isBookkeeping(bytes: Buffer, start: number, end: number): boolean {
  if (!isText(bytes, start, Math.min(end, start + typeFirst.length), typeFirst)) return false;
  const type = start + typeFirst.length;
  const typeEnd = bytes.indexOf('"', type);
  return typeEnd !== -1 && typeEnd < end && !isConversationType(bytes.toString('latin1', type, typeEnd));
}

function reset(): void {
  found.type = undefined;
  found.uuid = undefined;
  found.parentUuid = undefined;
  found.timestamp = undefined;
  found.messageId = undefined;
  found.toolUseIds = undefined;
  found.isSidechain = false;
  found.isMeta = false;
  found.isTeammates = false;
  found.isRare = false;
}

const readField: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (isText(bytes, key, keyEnd, 'message')) return readMessage(bytes, value, end);
  if (isText(bytes, key, keyEnd, 'attachment') && bytes[value] === 0x7b)
    return readObject(bytes, value, end, readAttachment);
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd === -1) return -1;
  switch (keyEnd - key) {
    case 4:
      if (isText(bytes, key, keyEnd, 'type')) found.type = textAt(bytes, value, valueEnd);
      else if (isText(bytes, key, keyEnd, 'uuid')) found.uuid = textAt(bytes, value, valueEnd);
      break;
    case 6:
      if (isText(bytes, key, keyEnd, 'isMeta')) found.isMeta = isTruthyAt(bytes, value, valueEnd);
      break;
    case 7:
      if (isText(bytes, key, keyEnd, 'subtype') && isText(bytes, value, valueEnd, '"compact_boundary"'))
        found.isRare = true;
      break;
    case 8:
      if (isText(bytes, key, keyEnd, 'teamName')) found.isTeammates = isTruthyAt(bytes, value, valueEnd);
      break;
    case 9:
      if (isText(bytes, key, keyEnd, 'timestamp')) found.timestamp = textAt(bytes, value, valueEnd);
      break;
    case 10:
      if (isText(bytes, key, keyEnd, 'parentUuid')) found.parentUuid = textAt(bytes, value, valueEnd);
      break;
    case 11:
      if (isText(bytes, key, keyEnd, 'isSidechain')) found.isSidechain = isTruthyAt(bytes, value, valueEnd);
      break;
  }
  return valueEnd;
};

function readMessage(bytes: Buffer, value: number, end: number): number {
  found.messageId = undefined;
  found.toolUseIds = undefined;
  return bytes[value] === 0x7b ? readObject(bytes, value, end, readMessageField) : endOfValue(bytes, value, end);
}

const readMessageField: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (isText(bytes, key, keyEnd, 'content')) return readObjects(bytes, value, end, readBlockField, endBlock);
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd !== -1 && isText(bytes, key, keyEnd, 'id')) found.messageId = textAt(bytes, value, valueEnd);
  return valueEnd;
};

const readBlockField: FieldReader = (bytes, key, keyEnd, value, end) => {
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd === -1) return -1;
  if (isText(bytes, key, keyEnd, 'type')) found.blockType = textAt(bytes, value, valueEnd);
  else if (isText(bytes, key, keyEnd, 'id')) found.blockId = textAt(bytes, value, valueEnd);
  else if (isText(bytes, key, keyEnd, 'tool_use_id')) found.resultOf = textAt(bytes, value, valueEnd);
  return valueEnd;
};

function endBlock(): void {
  const { blockType, blockId, resultOf } = found;
  const id = blockType === 'tool_use' ? blockId : blockType === 'tool_result' ? resultOf : undefined;
  // A list that begins empty takes room for many as soon as it has one.
  if (id !== undefined && found.toolUseIds === undefined) found.toolUseIds = [id];
  else if (id !== undefined) found.toolUseIds?.push(id);
  found.blockType = undefined;
  found.blockId = undefined;
  found.resultOf = undefined;
}

const readAttachment: FieldReader = (bytes, key, keyEnd, value, end) => {
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd !== -1 && isText(bytes, key, keyEnd, 'type') && isText(bytes, value, valueEnd, '"queued_command"'))
    found.isRare = true;
  return valueEnd;
};

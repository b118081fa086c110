import type { ConversationEntryType } from '@hexagent/ports';
import {
  afterSpace,
  endOfValue,
  escaped,
  hasEscape,
  isText,
  isTruthyAt,
  quote,
  readObject,
  readObjects,
  type FieldReader,
} from './json-bytes.ts';
import { longestSearched, quoteSearch } from './quote-search.ts';

const typeFirst = '{"type":"';
const openObject = 0x7b;
/** From this length on it takes less to copy a line to where it is searched faster. */
const longLine = 1024;
/** Types of entries that the chain of a conversation is made of. */
export const types: readonly ConversationEntryType[] = ['assistant', 'attachment', 'progress', 'system', 'user'];
const typesByLength: readonly (ConversationEntryType | undefined)[] = Array.from({ length: 11 }, (_, length) =>
  types.find((type) => type.length === length),
);

/** Where a value is in the bytes. It is missing where it ends at 0. */
export interface Span {
  start: number;
  end: number;
}

const span = (): Span => ({ start: 0, end: 0 });

/**
 * What was found in the line that was scanned last: where its texts are, so that no string is made of them. One line is scanned at
 * a time, and none across a wait.
 */
export interface ScannedLine {
  /** The bytes in which all of it is, and where the line begins and ends in them. */
  bytes: Buffer;
  start: number;
  end: number;
  type: ConversationEntryType | undefined;
  readonly uuid: Span;
  readonly parentUuid: Span;
  readonly timestamp: Span;
  readonly messageId: Span;
  /** What the agent noted of the result of a tool. */
  readonly noted: Span;
  /** How many ids of tools there are, and the start and the end of each. What follows those is of an earlier line. */
  toolUses: number;
  readonly toolUseIds: number[];
  isSidechain: boolean;
  isMeta: boolean;
  isTeammates: boolean;
  /** Whether it has to be parsed, since it has more than such a line usually has, or has it in another form. */
  isRare: boolean;
}

const noBytes = Buffer.alloc(0);
const found: ScannedLine = {
  bytes: noBytes,
  start: 0,
  end: 0,
  type: undefined,
  uuid: span(),
  parentUuid: span(),
  timestamp: span(),
  messageId: span(),
  noted: span(),
  toolUses: 0,
  toolUseIds: [],
  isSidechain: false,
  isMeta: false,
  isTeammates: false,
  isRare: false,
};

/** Of the block of a message that is scanned. */
const block = { type: span(), id: span(), resultOf: span() };

/**
 * What decides where the entry of this line belongs, found in its bytes: most of a transcript is text that is not needed, and
 * making objects of it takes ten times as long as going over it. `undefined` for a line that is no part of a conversation. The
 * next call uses the result again.
 */
export function scanLine(bytes: Buffer, start: number, end: number): Readonly<ScannedLine> | undefined {
  if (isBookkeeping(bytes, start, end)) return undefined;
  const size = end - start;
  const search = size < longLine || size > longestSearched ? undefined : quoteSearch();
  if (search === undefined) return scan(bytes, start, end);
  bytes.copy(search.bytes, 0, start, end);
  return scan(search.bytes, 0, size);
}

function scan(bytes: Buffer, start: number, end: number): Readonly<ScannedLine> | undefined {
  reset();
  found.bytes = bytes;
  found.start = start;
  found.end = end;
  const close = readObject(bytes, afterSpace(bytes, start, end), end, readField);
  if (close === -1 || afterSpace(bytes, close, end) !== end) return undefined;
  return found.isRare || (found.type !== undefined && found.uuid.end > 0) ? found : undefined;
}

/** Called behind the last line of a file: otherwise its block, or its longest line, would be in memory until the next one. */
export function releaseLine(): void {
  found.bytes = noBytes;
}

/** Whether the first bytes of the line show that it is no part of a conversation, as most of the bulk is. */
export function isBookkeeping(bytes: Buffer, start: number, end: number): boolean {
  const type = start + typeFirst.length;
  if (type >= end || !isText(bytes, start, type, typeFirst)) return false;
  const typeEnd = bytes.indexOf(quote, type);
  return (
    typeEnd !== -1 && typeEnd < end && !hasEscape(bytes, type, typeEnd) && typeAt(bytes, type, typeEnd) === undefined
  );
}

function reset(): void {
  found.type = undefined;
  found.uuid.end = 0;
  found.parentUuid.end = 0;
  found.timestamp.end = 0;
  found.messageId.end = 0;
  found.noted.end = 0;
  found.toolUses = 0;
  found.isSidechain = false;
  found.isMeta = false;
  found.isTeammates = false;
  found.isRare = false;
  resetBlock();
}

function resetBlock(): void {
  block.type.end = 0;
  block.id.end = 0;
  block.resultOf.end = 0;
}

const readField: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (keyEnd === escaped) return readEscaped(bytes, value, end);
  const length = keyEnd - key;
  if (length === 7 && isText(bytes, key, keyEnd, 'message')) return readMessage(bytes, value, end);
  if (length === 10 && bytes[value] === openObject && isText(bytes, key, keyEnd, 'attachment'))
    return readObject(bytes, value, end, readAttachment);
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd === -1) return -1;
  switch (length) {
    case 4:
      if (isText(bytes, key, keyEnd, 'type')) readType(bytes, value, valueEnd);
      else if (isText(bytes, key, keyEnd, 'uuid')) set(found.uuid, bytes, value, valueEnd);
      break;
    case 6:
      if (isText(bytes, key, keyEnd, 'isMeta')) found.isMeta = isTruthyAt(bytes, value, valueEnd);
      break;
    case 7:
      if (isText(bytes, key, keyEnd, 'subtype') && mayBe(bytes, value, valueEnd, '"compact_boundary"'))
        found.isRare = true;
      break;
    case 8:
      if (isText(bytes, key, keyEnd, 'teamName')) found.isTeammates = isTruthyAt(bytes, value, valueEnd);
      break;
    case 9:
      if (isText(bytes, key, keyEnd, 'timestamp')) set(found.timestamp, bytes, value, valueEnd);
      break;
    case 10:
      if (isText(bytes, key, keyEnd, 'parentUuid')) set(found.parentUuid, bytes, value, valueEnd);
      break;
    case 11:
      if (isText(bytes, key, keyEnd, 'isSidechain')) found.isSidechain = isTruthyAt(bytes, value, valueEnd);
      break;
    case 13:
      if (isText(bytes, key, keyEnd, 'toolUseResult')) setSpan(found.noted, value, valueEnd);
      break;
  }
  return valueEnd;
};

function readMessage(bytes: Buffer, value: number, end: number): number {
  found.messageId.end = 0;
  found.toolUses = 0;
  return bytes[value] === openObject ? readObject(bytes, value, end, readMessageField) : endOfValue(bytes, value, end);
}

const readMessageField: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (keyEnd === escaped) return readEscaped(bytes, value, end);
  if (isText(bytes, key, keyEnd, 'content')) {
    found.toolUses = 0;
    return readObjects(bytes, value, end, readBlockField, endBlock);
  }
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd !== -1 && isText(bytes, key, keyEnd, 'id')) set(found.messageId, bytes, value, valueEnd);
  return valueEnd;
};

const readBlockField: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (keyEnd === escaped) return readEscaped(bytes, value, end);
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd === -1) return -1;
  if (isText(bytes, key, keyEnd, 'type')) set(block.type, bytes, value, valueEnd);
  else if (isText(bytes, key, keyEnd, 'id')) set(block.id, bytes, value, valueEnd);
  else if (isText(bytes, key, keyEnd, 'tool_use_id')) set(block.resultOf, bytes, value, valueEnd);
  return valueEnd;
};

function endBlock(bytes: Buffer): void {
  const { type, id, resultOf } = block;
  if (type.end > 0 && hasEscape(bytes, type.start, type.end)) found.isRare = true;
  const isUse = isText(bytes, type.start, type.end, '"tool_use"');
  const isResult = isText(bytes, type.start, type.end, '"tool_result"');
  const named = isUse ? id : resultOf;
  if ((isUse || isResult) && named.end > 0) addToolUse(named);
  resetBlock();
}

function addToolUse({ start, end }: Span): void {
  found.toolUseIds[2 * found.toolUses] = start;
  found.toolUseIds[2 * found.toolUses + 1] = end;
  found.toolUses += 1;
}

const readAttachment: FieldReader = (bytes, key, keyEnd, value, end) => {
  if (keyEnd === escaped) return readEscaped(bytes, value, end);
  const valueEnd = endOfValue(bytes, value, end);
  if (valueEnd !== -1 && isText(bytes, key, keyEnd, 'type') && mayBe(bytes, value, valueEnd, '"queued_command"'))
    found.isRare = true;
  return valueEnd;
};

/** A field whose name has escapes can be any field. No agent writes such names, so there is no need to be fast. */
function readEscaped(bytes: Buffer, value: number, end: number): number {
  found.isRare = true;
  return endOfValue(bytes, value, end);
}

function readType(bytes: Buffer, start: number, end: number): void {
  if (hasEscape(bytes, start, end)) found.isRare = true;
  found.type = bytes[start] === quote ? typeAt(bytes, start + 1, end - 1) : undefined;
}

/** The type whose name is here, without its quotes. Each has a length of its own. */
export function typeAt(bytes: Buffer, start: number, end: number): ConversationEntryType | undefined {
  const type = typesByLength[end - start];
  return type !== undefined && isText(bytes, start, end, type) ? type : undefined;
}

/** Only a string counts. */
function set(place: Span, bytes: Buffer, start: number, end: number): void {
  if (bytes[start] === quote) setSpan(place, start, end);
  else place.end = 0;
}

function setSpan(place: Span, start: number, end: number): void {
  place.start = start;
  place.end = end;
}

const mayBe = (bytes: Buffer, start: number, end: number, text: string): boolean =>
  isText(bytes, start, end, text) || hasEscape(bytes, start, end);

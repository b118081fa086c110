import { quoteSearch } from './quote-search.ts';

export const newline = 0x0a;
export const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** Of `false`, `null` and `true`. */
const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;
/** So much of a string is read byte by byte, since a search is a call, and most strings are short. */
const firstBytes = 32;

/** Takes the place of where a key ends that has escapes, and so is not what its bytes are. */
export const escaped = -1;
/** Receives where a key is and where its value begins; returns where the value ends, or -1 where it does not. */
export type FieldReader = (bytes: Buffer, key: number, keyEnd: number, value: number, end: number) => number;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/** The first byte that is no white space. */
export function afterSpace(bytes: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && isSpace(bytes[index])) index += 1;
  return index;
}

/**
 * Where the entry of a line begins: behind white space and other characters of control. What was not yet on the disk when a machine
 * went down may be zeros later, and the agent goes on behind them.
 */
export function startOfEntry(bytes: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && (bytes[index] ?? 0) <= 0x20) index += 1;
  return index;
}

/** Where the string ends that begins here, behind its quote; -1 where it does not end. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  let index = start + 1;
  for (const stop = Math.min(end, index + firstBytes); index < stop; index += 1) {
    const byte = bytes[index];
    if (byte === quote) return index + 1;
    if (byte === backslash) index += 1;
  }
  const search = quoteSearch();
  const found = bytes === search?.bytes ? search.find(index, end) : findQuote(bytes, index, end);
  return found === -1 ? -1 : found + 1;
}

/** Where the next quote is that is not escaped; -1 where there is none before the end. */
function findQuote(bytes: Buffer, start: number, end: number): number {
  for (let index = start; ;) {
    const searched = index;
    index = bytes.indexOf(quote, searched);
    if (index === -1 || index >= end) return -1;
    if (!isEscaped(bytes, index, searched)) return index;
    index += 1;
    // Quotes are often close to each other, and a search is a call.
    for (const stop = Math.min(end, index + firstBytes); index < stop; index += 1) {
      const byte = bytes[index];
      if (byte === quote) return index;
      if (byte === backslash) index += 1;
    }
  }
}

/** Whether an odd number of backslashes is before this place, of those that follow the other one. */
function isEscaped(bytes: Buffer, place: number, from: number): boolean {
  let before = place - 1;
  while (before >= from && bytes[before] === backslash) before -= 1;
  return (place - before) % 2 === 0;
}

/** Where the value ends that begins here; -1 where it does not end. What it holds is not checked. */
export function endOfValue(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start];
  if (first === quote) return endOfString(bytes, start, end);
  if (first !== openObject && first !== openList) return endOfLiteral(bytes, start, end);
  let depth = 0;
  for (let index = start; index !== -1 && index < end;) {
    const byte = bytes[index];
    if (byte === quote) {
      index = endOfString(bytes, index, end);
      continue;
    }
    if (byte === openObject || byte === openList) depth += 1;
    if (byte === closeObject || byte === closeList) depth -= 1;
    index += 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** Of a number only the characters are checked: a line that was cut off within one goes on with others. */
function endOfLiteral(bytes: Buffer, start: number, end: number): number {
  const word = words.get(bytes[start] ?? 0);
  if (word !== undefined) return isText(bytes, start, start + word.length, word) ? start + word.length : -1;
  let index = start;
  while (index < end && isOfNumber(bytes[index] ?? 0)) index += 1;
  return index > start && index < end ? index : -1;
}

const words: ReadonlyMap<number, string> = new Map(['false', 'null', 'true'].map((word) => [word.charCodeAt(0), word]));

/** Digits, `+`, `-`, `.`, `E` and `e`. */
const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b || (byte | 0x20) === 0x65;

/** Shows each field of the object that begins here. Returns where the object ends; -1 for what is none. */
export function readObject(bytes: Buffer, start: number, end: number, read: FieldReader): number {
  if (bytes[start] !== openObject) return -1;
  let index = afterSpace(bytes, start + 1, end);
  if (bytes[index] === closeObject) return index + 1;
  for (;;) {
    if (bytes[index] !== quote) return -1;
    const keyEnd = endOfString(bytes, index, end);
    if (keyEnd === -1) return -1;
    const separator = afterSpace(bytes, keyEnd, end);
    if (bytes[separator] !== colon) return -1;
    const nameEnd = hasEscape(bytes, index + 1, keyEnd - 1) ? escaped : keyEnd - 1;
    const valueEnd = read(bytes, index + 1, nameEnd, afterSpace(bytes, separator + 1, end), end);
    if (valueEnd === -1) return -1;
    index = afterSpace(bytes, valueEnd, end);
    if (bytes[index] === closeObject) return index + 1;
    if (bytes[index] !== comma) return -1;
    index = afterSpace(bytes, index + 1, end);
  }
}

/** Shows each object of the list that begins here. Returns where the list ends; -1 for what is none. */
export function readObjects(
  bytes: Buffer,
  start: number,
  end: number,
  read: FieldReader,
  done: (bytes: Buffer) => void,
): number {
  if (bytes[start] !== openList) return endOfValue(bytes, start, end);
  let index = afterSpace(bytes, start + 1, end);
  if (bytes[index] === closeList) return index + 1;
  for (;;) {
    const isObject = bytes[index] === openObject;
    const itemEnd = isObject ? readObject(bytes, index, end, read) : endOfValue(bytes, index, end);
    if (itemEnd === -1) return -1;
    if (isObject) done(bytes);
    index = afterSpace(bytes, itemEnd, end);
    if (bytes[index] === closeList) return index + 1;
    if (bytes[index] !== comma) return -1;
    index = afterSpace(bytes, index + 1, end);
  }
}

/** The text of a string that begins with its quote here; `undefined` for another value, and for what is no text. */
export function textAt(bytes: Buffer, start: number, end: number): string | undefined {
  if (bytes[start] !== quote) return undefined;
  if (isPlainText(bytes, start, end)) return bytes.toString('latin1', start + 1, end - 1);
  return parsedText(bytes.toString('utf8', start, end));
}

/** Whether this is a string in quotes that is stored as it reads: of printable characters of one byte, without escapes. */
export function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 2 || bytes[start] !== quote || bytes[end - 1] !== quote) return false;
  for (let index = start + 1; index < end - 1; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === backslash || byte === quote) return false;
  }
  return true;
}

function parsedText(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // an escape that JSON does not have
  }
}

/** Whether the value that is here counts as true. */
export function isTruthyAt(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start];
  if (first === quote) return end - start > 2;
  if (first === letterF || first === letterN) return false;
  if (first === letterT || first === openObject || first === openList) return true;
  return Number(bytes.toString('latin1', start, end)) !== 0;
}

/** Whether a backslash is among these bytes. */
export function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (bytes[index] === backslash) return true;
  return false;
}

/** Whether these bytes are this text, of characters of one byte. */
export function isText(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index += 1)
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  return true;
}

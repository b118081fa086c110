export const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** Short strings, and what follows a quote within one, are read byte by byte, since a search costs a call. */
const nearBytes = 32;

/** Receives where a key and its value begin; returns where the value ends, or -1 where it does not. */
export type FieldReader = (bytes: Buffer, key: number, keyEnd: number, value: number, end: number) => number;

/** The first byte that is no white space. */
export function afterSpace(bytes: Buffer, start: number, end: number): number {
  let index = start;
  while (index < end && (bytes[index] ?? 0) <= 0x20) index += 1;
  return index;
}

/** Where the string ends that begins here, behind its quote; -1 where it does not end. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  let index = start + 1;
  for (;;) {
    for (const near = Math.min(end, index + nearBytes); index < near; index += 1) {
      const byte = bytes[index];
      if (byte === quote) return index + 1;
      if (byte === backslash) index += 1;
    }
    index = bytes.indexOf(quote, index);
    if (index === -1 || index >= end) return -1;
    let before = index - 1;
    while (bytes[before] === backslash) before -= 1;
    index += 1;
    // An even number of backslashes is that many halves, and none of them is before the quote.
    if ((index - before) % 2 === 0) return index;
  }
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

function endOfLiteral(bytes: Buffer, start: number, end: number): number {
  let index = start;
  for (; index < end; index += 1) {
    const byte = bytes[index];
    if (byte === comma || byte === closeObject || byte === closeList) break;
  }
  return index > start && index < end ? index : -1;
}

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
    const valueEnd = read(bytes, index + 1, keyEnd - 1, afterSpace(bytes, separator + 1, end), end);
    if (valueEnd === -1) return -1;
    index = afterSpace(bytes, valueEnd, end);
    if (bytes[index] === closeObject) return index + 1;
    if (bytes[index] !== comma) return -1;
    index = afterSpace(bytes, index + 1, end);
  }
}

/** Shows each object of the list that begins here. Returns where the list ends; -1 for what is none. */
export function readObjects(bytes: Buffer, start: number, end: number, read: FieldReader, done: () => void): number {
  if (bytes[start] !== openList) return endOfValue(bytes, start, end);
  let index = afterSpace(bytes, start + 1, end);
  if (bytes[index] === closeList) return index + 1;
  for (;;) {
    const isObject = bytes[index] === openObject;
    const itemEnd = isObject ? readObject(bytes, index, end, read) : endOfValue(bytes, index, end);
    if (itemEnd === -1) return -1;
    if (isObject) done();
    index = afterSpace(bytes, itemEnd, end);
    if (bytes[index] === closeList) return index + 1;
    if (bytes[index] !== comma) return -1;
    index = afterSpace(bytes, index + 1, end);
  }
}

/** The text of a string that begins with its quote here; `undefined` for another value. */
export function textAt(bytes: Buffer, start: number, end: number): string | undefined {
  if (bytes[start] !== quote) return undefined;
  for (let index = start + 1; index < end - 1; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === backslash || byte > 0x7e) return parsedText(bytes.toString('utf8', start, end));
  }
  return bytes.toString('latin1', start + 1, end - 1);
}

function parsedText(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // an escape that JSON does not have
  }
}

const falsy: ReadonlySet<string> = new Set(['""', '0', '-0', 'false', 'null']);

/** Whether the value that is here counts as true. */
export function isTruthyAt(bytes: Buffer, start: number, end: number): boolean {
  return end - start > 5 || !falsy.has(bytes.toString('latin1', start, end).trim());
}

/** Whether these bytes are this text, of characters of one byte. */
export function isText(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index += 1)
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  return true;
}

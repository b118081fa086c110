import { endOfValue } from './json-bytes.ts';
import { isRecord, type TranscriptEntry } from '@hexagent/ports';

/** The entry in these bytes; `undefined` for what is none, such as a line that was cut off. */
export function parseEntry(bytes: Buffer, start: number, end: number): TranscriptEntry | undefined {
  return entryOf(bytes.toString('utf8', start, end));
}

const noted = ',"toolUseResult":';
/** Cutting out less costs more than reading it. */
const worthCutting = 512;

/** The entry without what the agent noted of the result of a tool, where that is large. */
export function parseMessage(bytes: Buffer, start: number, end: number): TranscriptEntry | undefined {
  // A quote that is not escaped before it: so it is the name of a field, and behind the message it is one of the entry.
  const field = end - start < worthCutting ? -1 : bytes.subarray(start, end).indexOf(noted);
  const value = start + field + noted.length;
  const valueEnd = field === -1 ? -1 : endOfValue(bytes, value, end);
  if (valueEnd - value < worthCutting) return parseEntry(bytes, start, end);
  const cut = entryOf(`${bytes.toString('utf8', start, value)}null${bytes.toString('utf8', valueEnd, end)}`);
  // In another place it was a field of something that is shown.
  return cut !== undefined && 'toolUseResult' in cut ? cut : parseEntry(bytes, start, end);
}

export function entryOf(json: string): TranscriptEntry | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined; // a line that was cut off, or that nobody meant as an entry
  }
}

const isEntry = (value: unknown): value is TranscriptEntry => isRecord(value) && typeof value['type'] === 'string';

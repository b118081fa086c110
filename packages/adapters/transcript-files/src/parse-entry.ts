import { isRecord, type TranscriptEntry } from '@hexagent/ports';

/** The entry in these bytes; `undefined` for what is none, such as a line that was cut off. */
export function parseEntry(bytes: Buffer, start: number, end: number): TranscriptEntry | undefined {
  return entryOf(bytes.toString('utf8', start, end));
}

export function entryOf(json: string): TranscriptEntry | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined; // a line that was cut off, or that is no entry
  }
}

export const isEntry = (value: unknown): value is TranscriptEntry =>
  isRecord(value) && typeof value['type'] === 'string';

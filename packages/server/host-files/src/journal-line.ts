import { isRecord } from '@hexagent/checks';

/** The content of a line of a journal. */
export type JournalLine = Readonly<Record<string, unknown>>;

/** Behind this line nothing counts. */
export const sealLine = '{"seal":true}';
/** Ends what replaces the lines of the file before. */
export const snapshotLine = '{"snapshot":true}';

export const isSeal = (line: JournalLine | undefined): boolean => line?.['seal'] === true;
export const isSnapshotEnd = (line: JournalLine): boolean => line['snapshot'] === true;

/** `undefined` for a line that was cut off. */
export function parseLine(line: string): JournalLine | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

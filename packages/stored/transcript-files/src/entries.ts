import { isConversationType, isRecord } from '@hexagent/checks';
import type { TranscriptEntry } from '@hexagent/ports';

/** What was not yet on the disk when a machine went down may be zeros later. The agent continues behind them. */
const beforeEntry = /^[\p{Cc} ]+/u;
/** The entry of a line; `undefined` without one, such as for a line that was cut off. */
export function parseEntry(line: Buffer): TranscriptEntry | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8').replace(beforeEntry, ''));
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined; // broken, or longer than a string can be
  }
}

const isEntry = (value: unknown): value is TranscriptEntry => isRecord(value) && typeof value['type'] === 'string';

/** How messages begin, and bookkeeping. */
const beginning = /^\{"(?:parentUuid"|type":"([\w-]+)")/;
const beginningBytes = 64;

/** The type of the entry of a line by its beginning, without parsing it; `undefined` where that does not show it. */
export function typeByBeginning(line: Buffer): string | undefined {
  const found = beginning.exec(line.toString('latin1', 0, beginningBytes));
  // Messages begin with their parent.
  return found === null ? undefined : (found[1] ?? 'user');
}

/** Whether the beginning of a line shows that it is not a part of a conversation, as for most of a transcript. */
export function isBookkeeping(line: Buffer): boolean {
  const type = typeByBeginning(line);
  return type !== undefined && !isConversationType(type);
}

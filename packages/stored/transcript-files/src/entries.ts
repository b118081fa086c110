import { isConversationType, isRecord } from '@hexagent/checks';
import type { TranscriptEntry } from '@hexagent/ports';

/** What was not yet on the disk when a machine went down may be zeros later. The agent continues behind them. */
const beforeEntry = /^[\p{Cc} ]+/u;
/** In a text that was cut, a single backslash at the end is the beginning of an escape. */
const tokens = /\\u[\da-f]{4}|\\[^u]|\\|["{}[\]]/giu;

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

/** The beginning of an entry that is cut in a text: the text ends there, and the fields behind it are missing. */
export function parseCutEntry(bytes: Buffer): TranscriptEntry | undefined {
  let text = bytes.toString('utf8');
  const open: string[] = [];
  let isInText = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '\\') text = text.slice(0, index);
    else if (token === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else open.pop();
  }
  return isInText ? parseEntry(Buffer.from(`${text}"${open.toReversed().join('')}`)) : undefined;
}

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

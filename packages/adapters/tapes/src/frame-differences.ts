import { isRecord } from '@hexagent/checks';
import { mark } from './secret-shapes.ts';

/** A value that the program sent otherwise than on the tape. */
export interface Difference {
  /** From the frame down, joined with dots. */
  readonly path: string;
  readonly expected: unknown;
  readonly seen: unknown;
}

/**
 * Where two frames differ. Equal are ids, times and temporary folders that no two runs share, and whatever was redacted on
 * the tape.
 */
export function differencesOf(expected: unknown, seen: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(expected) && Array.isArray(seen)) return ofMembers(membersOf(expected), membersOf(seen), path);
  if (isRecord(expected) && isRecord(seen)) return ofMembers(expected, seen, path);
  return isSame(expected, seen) ? [] : [{ path, expected, seen }];
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (list: readonly unknown[]): Members => Object.fromEntries(Object.entries(list));

function ofMembers(expected: Members, seen: Members, path: string): readonly Difference[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])].filter((name) => !isVolatile(name));
  return names.flatMap((name) => differencesOf(expected[name], seen[name], path === '' ? name : `${path}.${name}`));
}

const isVolatile = (name: string): boolean => /^(?:request_id|uuid)$|(?:_ms|Ms|_time|timestamp)$/.test(name);

function isSame(expected: unknown, seen: unknown): boolean {
  if (typeof expected !== 'string' || typeof seen !== 'string') return Object.is(expected, seen);
  const [one, other] = [withoutVolatile(expected), withoutVolatile(seen)];
  if (!one.includes(mark)) return one === other;
  return matchesAround(one.split(mark), other);
}

/** Whether a text has these pieces in this order, the first at its start and the last at its end. */
function matchesAround(pieces: readonly string[], text: string): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at + last.length <= text.length;
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const temporary = /(?:\/private)?(?:\/var\/folders\/[\w+]+\/[\w+]+\/T|\/tmp)\/[^/\s"']+/g;

/** A text without ids, times and temporary folders. */
export const withoutVolatile = (text: string): string =>
  text.replace(uuid, '<uuid>').replace(time, '<time>').replace(temporary, '<temporary folder>');

/** Differences for a person to read, one in a line. */
export function differencesText(differences: readonly Difference[]): string {
  const shown = differences.slice(0, mostShown).map(({ path, expected, seen }) => {
    const [one, other] = [shownValue(expected), shownValue(seen)];
    return `  ${path === '' ? 'the line' : path}\n    expected ${one}\n    seen     ${other}`;
  });
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

const mostShown = 8;
const longestValue = 300;

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

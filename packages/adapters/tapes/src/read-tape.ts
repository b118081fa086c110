import { readFileSync } from 'node:fs';
import { errorText, isRecord, shown } from '@hexagent/checks';
import { parseJson } from './parse-json.ts';
import type { TapeEntry, TapeHeader } from './tape-entry.ts';

export interface Tape {
  readonly header: TapeHeader;
  readonly entries: readonly TapeEntry[];
  /** The tape ends in the middle of a line, as after a crash of the program. That line is left out. */
  readonly isCut: boolean;
}

/**
 * Reads a tape from a file.
 * @throws {TypeError} when the file is not a tape, or a line of it is damaged, naming the line.
 * @throws {Error} when the file cannot be read, naming it.
 */
export function readTape(file: string): Tape {
  return parseTape(contentOf(file), file);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    // Of a folder, the system does not name it.
    throw new Error(`${file} cannot be read: ${errorText(cause)}. Name one tape, a file that ends in .tape.`, {
      cause,
    });
  }
}

/**
 * Reads a tape from its text.
 * @throws {TypeError} when it is not a tape, naming the line.
 */
export function parseTape(text: string, name = 'the tape'): Tape {
  // An entry ends with a brace: what stands between that and the line end is of a tool that changed the line ends, such as Git.
  const lines = text.split(/\r?\n/);
  // What follows the last line end is empty, or a line that was not finished.
  const isCut = lines.pop() !== '';
  const [first, ...rest] = lines;
  const header = parseHeader(first, name);
  const entries = rest.flatMap((line, index) => (line === '' ? [] : [entryAt(line, index + 2, name)]));
  return { header, entries, isCut };
}

function parseHeader(line: string | undefined, name: string): TapeHeader {
  const header = line === undefined ? undefined : parseJson(line);
  if (!isRecord(header) || !('tape' in header)) {
    throw new TypeError(`${name} is not a tape: its first line has to be {"tape":1,…}. Record one with recordTo().`);
  }
  const { tape, started } = header;
  if (tape !== 1 || typeof started !== 'string') {
    throw new TypeError(`${name} is a tape of version ${shown(tape)}, and this package reads version 1. Update it.`);
  }
  return { tape, started };
}

function entryAt(line: string, number: number, name: string): TapeEntry {
  const entry = parseEntry(line);
  if (entry !== undefined) return entry;
  throw new TypeError(
    `Line ${number} of ${name} is no entry of a tape. It begins with ${line.slice(0, 80)}. Restore it, or cut the tape before it.`,
  );
}

/** One line of a tape after the header; `undefined` for anything else. */
function parseEntry(line: string): TapeEntry | undefined {
  const value = parseJson(line);
  if (value === undefined) return damagedFrame(line);
  if (!isRecord(value) || typeof value['t'] !== 'number' || typeof value['agent'] !== 'number') return undefined;
  const direction = 'in' in value ? 'in' : 'out' in value ? 'out' : undefined;
  // Written by this package: what `JSON.parse` returns has the fields of an entry.
  if (direction === undefined) return value as object as TapeEntry;
  return { ...value, line: exactText(line, direction, value) } as object as TapeEntry;
}

/** The text of the frame, which stands last. A tape that was written anew by another tool has only its value. */
function exactText(
  line: string,
  direction: 'in' | 'out',
  { [direction]: frame, ...head }: Record<string, unknown>,
): string {
  const prefix = `${JSON.stringify(head).slice(0, -1)},"${direction}":`;
  return line.startsWith(prefix) ? line.slice(prefix.length, -1) : JSON.stringify(frame);
}

const damaged = /^\{"t":([\d.]+),"agent":(\d+),"(in|out)":(.*)\}$/s;

/** A line of the agent that looks like a frame is recorded as it is, although it may not be JSON. */
function damagedFrame(line: string): TapeEntry | undefined {
  const [, t, agent, direction, text] = damaged.exec(line) ?? [];
  if (text === undefined) return undefined;
  const at = { t: Number(t), agent: Number(agent) };
  return direction === 'in' ? { ...at, inLine: text } : { ...at, outLine: text };
}

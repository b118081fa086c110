import { frameOf, isJson, objectAt, readEntry, textAt, type Direction, type Json } from './entry.ts';
import type { RunFold } from './run-fold.ts';
import type { Row } from './run.ts';

/** Where two runs part. */
export interface Difference {
  readonly agent: number;
  readonly direction: Direction;
  /** The rows that differ; one of them is missing where a run ended before the other. */
  readonly left: number | undefined;
  readonly right: number | undefined;
  /** How many rows of this agent and direction are the same before. */
  readonly same: number;
  /** What differs in the two rows, by its path, such as `message.content.0.text`. At most 50. */
  readonly parts: readonly DifferentPart[];
}

export interface DifferentPart {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

const mostParts = 50;

/** How often they come depends on the time that passes, on the network, or on what the program does beside. */
const untimely: ReadonlySet<string> = new Set(['keep_alive', 'tool_progress', 'pause', 'resume', 'transcript_mirror']);

/**
 * The first difference of two runs. Agents are compared in the order in which they were started, and each kind of frame of a
 * direction apart: which of two kinds comes first may change from run to run. Ids, times and the folders of the agents are left out.
 */
export function firstDifference(left: RunFold, right: RunFold): Difference | undefined {
  const found = pairs(left, right).flatMap(([first, second]) => {
    const [ofLeft, ofRight] = [lanesOf(left, first), lanesOf(right, second)];
    return [...new Set([...ofLeft.keys(), ...ofRight.keys()])].flatMap((lane) => {
      const rows = [ofLeft.get(lane) ?? [], ofRight.get(lane) ?? []] as const;
      const difference = differenceOf(readerOf(left, first, rows[0]), readerOf(right, second, rows[1]));
      const direction = (rows[0][0] ?? rows[1][0])?.direction;
      return difference === undefined || direction === undefined
        ? []
        : [{ agent: first ?? second ?? 0, direction, ...difference }];
    });
  });
  return found.toSorted((a, b) => placeOf(a) - placeOf(b))[0];
}

const placeOf = ({ left, right }: Difference): number => Math.min(left ?? Infinity, right ?? Infinity);

/** The numbers of the agents of both runs, by the order of their start. */
function pairs(left: RunFold, right: RunFold): readonly (readonly [number | undefined, number | undefined])[] {
  const [first, second] = [left.agents, right.agents];
  const count = Math.max(first.length, second.length);
  return Array.from({ length: count }, (_, at) => [first[at]?.number, second[at]?.number] as const);
}

interface Comparable {
  readonly index: number;
  readonly value: unknown;
  readonly text: string;
}

/** The rows of an agent that are compared in their order, by what they have in common. */
function lanesOf(run: RunFold, agent: number | undefined): ReadonlyMap<string, readonly Row[]> {
  const lanes = new Map<string, Row[]>();
  for (const row of run.rows)
    if (row.agent === agent && isCompared(row)) {
      const lane = lanes.get(laneOf(row)) ?? [];
      lane.push(row);
      lanes.set(laneOf(row), lane);
    }
  for (const rows of lanes.values()) rows.sort((a, b) => orderOf(a) - orderOf(b));
  return lanes;
}

const laneOf = ({ direction, kind, type }: Row): string => {
  if (type.startsWith('system/')) return `${direction} system`;
  return `${direction} ${kind === 'tool' ? 'message' : kind}`;
};

/** Answers overtake each other: they are compared in the order of what they answer. */
const orderOf = ({ index, ask, request }: Row): number => request?.row ?? ask?.row ?? index;

/** One row at a time: what follows the first difference is not read. */
function readerOf(run: RunFold, agent: number | undefined, rows: readonly Row[]): () => Comparable | undefined {
  const hide = hiderOf(run, agent);
  let next = 0;
  return () => {
    const row = rows[next];
    next += 1;
    if (row === undefined) return undefined;
    const value = hide(valueOf(row));
    return { index: row.index, value, text: JSON.stringify(value) };
  };
}

/** Pieces of texts are cut differently each time; the whole message follows them. */
const isCompared = ({ kind, type }: Row): boolean => kind !== 'piece' && !untimely.has(type);

function differenceOf(
  left: () => Comparable | undefined,
  right: () => Comparable | undefined,
): Pick<Difference, 'left' | 'parts' | 'right' | 'same'> | undefined {
  for (let same = 0; ; same += 1) {
    const [first, second] = [left(), right()];
    if (first === undefined && second === undefined) return undefined;
    if (first?.text === second?.text) continue;
    const parts = first === undefined || second === undefined ? [] : differentParts(first.value, second.value);
    return { left: first?.index, right: second?.index, same, parts };
  }
}

/** What is compared of a row: the frame, or what is not of this machine. */
function valueOf({ line, type }: Row): unknown {
  const entry = readEntry(line);
  if (entry === undefined) return line;
  const { frame } = frameOf(entry);
  if (frame !== undefined) return frame;
  const mark = objectAt(entry, type);
  if (type === 'launch') return { args: mark['args'], initialize: mark['initialize'] };
  if (type === 'exit') return { code: mark['code'], signal: mark['signal'] };
  return entry[type] ?? entry['inLine'] ?? entry['outLine'];
}

/** The socket of a process. */
const socket = /\d+\.sock\b/g;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const isIdName = /^(?:uuid|.*_(?:uuid|id)|id|pid)$|(?:Uuid|I[dD])$/;
const isTimeName = /^(?:timestamp|t)$|(?:_|^)(?:ms|time|at|seconds)$|Ms$|At$|^(?:duration|elapsed|ttft)/;

/** Replaces what is another one in each run. */
function hiderOf(run: RunFold, agent: number | undefined): (value: unknown) => unknown {
  const launch = run.rows.find((row) => row.agent === agent && row.type === 'launch');
  const folders = launch === undefined ? [] : foldersOf(objectAt(readEntry(launch.line) ?? {}, 'launch'));
  const hideText = (text: string): string =>
    folders
      .reduce((rest, [folder, name]) => rest.replaceAll(folder, name), text)
      .replaceAll(uuid, '<id>')
      .replaceAll(socket, '<id>.sock')
      .replaceAll(timestamp, '<time>');
  const hide = (value: unknown, name: string): unknown => {
    if (isIdName.test(name) && (typeof value === 'string' || typeof value === 'number')) return '<id>';
    if (isTimeName.test(name) && typeof value === 'number') return '<time>';
    if (typeof value === 'string') return hideText(value);
    if (Array.isArray(value)) return value.map((each) => hide(each, isIdName.test(name.replace(/s$/, '')) ? 'id' : ''));
    if (!isJson(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [hideText(key), hide(each, key)]));
  };
  return (value) => hide(value, '');
}

/** The longest first, since one may lie in the other. */
function foldersOf(launch: Json): readonly (readonly [string, string])[] {
  const env = objectAt(launch, 'env');
  const folders = [
    [textAt(launch, 'cwd'), '<folder>'],
    [textAt(env, 'CLAUDE_CONFIG_DIR'), '<config>'],
    [textAt(env, 'HOME'), '<home>'],
    [textAt(env, 'TMPDIR'), '<tmp>'],
  ] as const;
  // The agent names its own folders after the one that it works in.
  const names = folders.map(([folder, name]) => [folder.replaceAll(/[^a-z0-9]/gi, '-'), name] as const);
  return [...folders, ...names].filter(([folder]) => folder.length > 1).toSorted(([a], [b]) => b.length - a.length);
}

/** Paths at which two values differ. */
function differentParts(left: unknown, right: unknown): readonly DifferentPart[] {
  const parts: DifferentPart[] = [];
  const compare = (first: unknown, second: unknown, path: readonly string[]): void => {
    if (parts.length >= mostParts || JSON.stringify(first) === JSON.stringify(second)) return;
    const [inFirst, inSecond] = [membersOf(first), membersOf(second)];
    if (inFirst === undefined || inSecond === undefined || Array.isArray(first) !== Array.isArray(second)) {
      parts.push({ path: path.join('.'), left: first, right: second });
      return;
    }
    for (const name of new Set([...inFirst.keys(), ...inSecond.keys()]))
      compare(inFirst.get(name), inSecond.get(name), [...path, name]);
  };
  compare(left, right, []);
  return parts;
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  isJson(value) || Array.isArray(value) ? new Map(Object.entries(value)) : undefined;

/** A frame, or a part of one: whatever JSON it holds. */
export type Json = { readonly [name: string]: unknown };

/** One line of a tape, and of what a running program sends: what happened to an agent. */
export interface Entry extends Json {
  /** Milliseconds since the tape or the program started. */
  readonly t: number;
  /** Counts the agents of the tape, from 1. */
  readonly agent: number;
}

/** How a line is read: `out` is what the program sent to the agent, `in` what came from it, `mark` all else. */
export type Direction = 'in' | 'mark' | 'out';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of that name where it is an object, and an empty one otherwise: what an agent writes is not checked. */
export function objectAt(from: Json, name: string): Json {
  const value = from[name];
  return isJson(value) ? value : {};
}

export function listAt(from: Json, name: string): readonly Json[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function textAt(from: Json, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value : '';
}

export function numberAt(from: Json, name: string): number {
  const value = from[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** `undefined` for a line that is not an entry: the header, a line of a later version. */
export function readEntry(line: string): Entry | undefined {
  const value = parsed(line);
  if (value === undefined) return damagedFrame(line);
  return isEntry(value) ? value : undefined;
}

/** `undefined` for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const damaged = /^\{"t":([\d.]+),"agent":(\d+),"(in|out)":(.*)\}$/s;

/** Frames are on a tape as they were written, also one that is not JSON. */
function damagedFrame(line: string): Entry | undefined {
  const [, t, agent, direction, text] = damaged.exec(line) ?? [];
  return text === undefined ? undefined : { t: Number(t), agent: Number(agent), [`${direction}Line`]: text };
}

function isEntry(value: unknown): value is Entry {
  return isJson(value) && typeof value['t'] === 'number' && typeof value['agent'] === 'number';
}

/** The frame of an entry, with its direction. A line that is not a frame has none. */
export function frameOf(entry: Entry): { readonly direction: Direction; readonly frame: Json | undefined } {
  if ('out' in entry || 'outLine' in entry) return { direction: 'out', frame: frameIn(entry['out']) };
  if ('in' in entry || 'inLine' in entry) return { direction: 'in', frame: frameIn(entry['in']) };
  return { direction: 'mark', frame: undefined };
}

const frameIn = (frame: unknown): Json | undefined => (isJson(frame) ? frame : undefined);

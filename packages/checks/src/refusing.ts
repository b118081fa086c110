import { shown } from './unknown-values.ts';

/** A wrong argument: its place, what belongs there, and what was there instead. */
export function refuse(place: string, wanted: string, found: string): TypeError {
  return new TypeError(`\`${place}\` must be ${wanted}, not ${found}.`);
}

/** A getter or a proxy of the program's threw while it was read. */
export function unreadable(place: string, cause: unknown): TypeError {
  return new TypeError(`\`${place}\` cannot be read: something in it threw.`, { cause });
}

/** `place.key`, or `place["an odd key"]`. */
export function inside(place: string, key: string | number): string {
  if (typeof key === 'number') return `${place}[${key}]`;
  if (!/^[\w$-]{1,60}$/.test(key)) return `${place}[${shown(key)}]`;
  return place === '' ? key : `${place}.${key}`;
}

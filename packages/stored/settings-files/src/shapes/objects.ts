import { isRecord } from '@hexagent/checks';
import { type Author, type Fields, type Shape, unreadable } from './shape.ts';

/** `__proto__` is a name like any other in a file, and must not become a prototype. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): { [name: string]: unknown } {
  return Object.fromEntries([...entries].filter(([name]) => name !== '__proto__'));
}

/** Any names, with values of one shape. */
export const record =
  (item: Shape): Shape =>
  (value, author) => {
    if (!isRecord(value)) return unreadable;
    const read = Object.entries(value).map(([name, each]) => [name, item(each, author)] as const);
    return read.some(([, each]) => each === unreadable) ? unreadable : objectOf(read);
  };

/** Without the entries that cannot be read. */
export const recordOfReadable =
  (item: Shape): Shape =>
  (value, author) => {
    if (!isRecord(value)) return unreadable;
    const read = Object.entries(value).map(([name, each]) => [name, item(each, author)] as const);
    return objectOf(read.filter(([, each]) => each !== unreadable));
  };

/** Of a policy, without the entries that cannot be read, if any remain. */
export const recordOfPolicy = (item: Shape): Shape =>
  notEmptied((value, author) => (author === 'policy' ? recordOfReadable(item) : record(item))(value, author));

/** Of a policy, an object of which nothing remains cannot be read. */
export const notEmptied =
  (shape: Shape): Shape =>
  (value, author) => {
    const read = shape(value, author);
    const isCleared = isRecord(value) && isRecord(read) && isEmpty(read) && !isEmpty(value);
    return author === 'policy' && isCleared ? unreadable : read;
  };

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

export interface ObjectRules {
  /** Names that must be there. */
  readonly needs?: readonly string[];
  /** Whether unknown names are kept. Default: they are left out. */
  readonly keepsOthers?: boolean;
  /** Of a policy, a field that cannot be read is left out by itself. */
  readonly fieldByField?: boolean;
}

export const object =
  (fields: Fields, { needs = [], keepsOthers = false, fieldByField = false }: ObjectRules = {}): Shape =>
  (value, author) => {
    if (!isRecord(value)) return unreadable;
    if (needs.some((name) => value[name] === undefined)) return unreadable;
    return readFields(value, { fields, keepsOthers, forgives: fieldByField && author === 'policy', author });
  };

interface Reading {
  readonly fields: Fields;
  readonly keepsOthers: boolean;
  readonly forgives: boolean;
  readonly author: Author;
}

function readFields(
  value: { readonly [name: string]: unknown },
  { fields, keepsOthers, forgives, author }: Reading,
): unknown {
  const read: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (shape === undefined) {
      if (keepsOthers && !(forgives && each === null)) read.push([name, each]);
      continue;
    }
    const field = shape(each, author);
    if (field !== unreadable) read.push([name, field]);
    else if (!forgives) return unreadable;
  }
  return objectOf(read);
}

/**
 * Of a policy, an object without what `allowing` names, where one of `denying` could not be read whole: what is denied
 * is not known, and so nothing is allowed beside it. It is left out where nothing remains.
 */
export const deniesFirst =
  (shape: Shape, { denying, allowing }: { denying: readonly string[]; allowing: readonly string[] }): Shape =>
  (value, author) => {
    const read = shape(value, author);
    if (author === 'person' || !isRecord(value) || !isRecord(read)) return read;
    const lost = denying.some((name) => isCut(value[name], read[name]));
    const kept = Object.entries(read).filter(
      ([name, each]) => !(lost && allowing.includes(name)) && !(denying.includes(name) && isEmptied(value[name], each)),
    );
    const wasEmptied =
      kept.length === 0 && Object.keys(value).length > 0 && (lost || kept.length < Object.keys(read).length);
    return wasEmptied ? unreadable : objectOf(kept);
  };

const isCut = (given: unknown, read: unknown): boolean =>
  given !== undefined &&
  given !== null &&
  (!Array.isArray(read) || !Array.isArray(given) || read.length < given.length);

const isEmptied = (given: unknown, read: unknown): boolean =>
  Array.isArray(given) && Array.isArray(read) && given.length > 0 && read.length === 0;

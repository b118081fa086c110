/** Who wrote a setting: a person in a file, or an organisation as its policy. */
export type Author = 'person' | 'policy';

/** What a shape returns for a value that it cannot read. */
export const unreadable: unique symbol = Symbol('unreadable');

/** Returns a setting as it counts, `undefined` where it is left out, or that it cannot be read. */
export type Shape = (value: unknown, author: Author) => unknown;

export type Fields = { readonly [name: string]: Shape };

const only =
  (accepts: (value: unknown) => boolean): Shape =>
  (value) =>
    accepts(value) ? value : unreadable;

export const anything: Shape = (value) => value;
export const text: Shape = only((value) => typeof value === 'string');
export const someText: Shape = only((value) => typeof value === 'string' && value !== '');
export const flag: Shape = only((value) => typeof value === 'boolean');
export const matching = (pattern: RegExp): Shape => only((value) => typeof value === 'string' && pattern.test(value));
export const oneOf = (...values: readonly unknown[]): Shape => only((value) => values.includes(value));
export const url = (...protocols: readonly string[]): Shape =>
  only(
    (value) =>
      typeof value === 'string' &&
      URL.canParse(value) &&
      (protocols.length === 0 || protocols.includes(new URL(value).protocol)),
  );

interface Bounds {
  readonly from?: number;
  readonly above?: number;
  readonly to?: number;
}

/** A number between two others, which count too; `above` is a lower bound that does not. */
export function number({ from = -Infinity, above = -Infinity, to = Number.MAX_VALUE }: Bounds = {}): Shape {
  return only((value) => typeof value === 'number' && value >= from && value > above && value <= to);
}

export function integer({
  from = Number.MIN_SAFE_INTEGER,
  to = Number.MAX_SAFE_INTEGER,
}: Omit<Bounds, 'above'> = {}): Shape {
  return only((value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to);
}

/** The first of some shapes that can read the value. */
export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, author) => {
    for (const shape of shapes) {
      const read = shape(value, author);
      if (read !== unreadable) return read;
    }
    return unreadable;
  };

/** What cannot be read is left out, in files of every kind. */
export const lenient =
  (shape: Shape): Shape =>
  (value, author) => {
    const read = shape(value, author);
    return read === unreadable ? undefined : read;
  };

/** Of a person, what cannot be read is left out by itself. Of a policy, it makes what holds it unreadable. */
export const lenientToPersons =
  (shape: Shape): Shape =>
  (value, author) => {
    const read = shape(value, author);
    return read === unreadable && author === 'person' ? undefined : read;
  };

/** In a policy, what cannot be read counts as the strictest value: nothing more is allowed because of a mistake. */
export const closing =
  (shape: Shape, strictest: unknown, { unless = [null] }: { unless?: readonly unknown[] } = {}): Shape =>
  (value, author) => {
    const read = shape(value, author);
    return read === unreadable && author === 'policy' && !unless.includes(value) ? strictest : read;
  };

/** Counts in a policy alone. */
export const policyOnly =
  (shape: Shape): Shape =>
  (value, author) =>
    author === 'policy' ? shape(value, author) : undefined;

export const list =
  (item: Shape, { from = 0 }: { from?: number } = {}): Shape =>
  (value, author) => {
    if (!Array.isArray(value) || value.length < from) return unreadable;
    const read = value.map((each: unknown) => item(each, author));
    return read.includes(unreadable) ? unreadable : read;
  };

/** A list without those of its items that cannot be read. */
export const listOfReadable =
  (item: Shape): Shape =>
  (value, author) => {
    if (!Array.isArray(value)) return unreadable;
    return value.map((each: unknown) => item(each, author)).filter((each) => each !== unreadable);
  };

/** A list that a policy keeps without what cannot be read, and that is refused in a person's file. */
export const listOfPolicy =
  (item: Shape): Shape =>
  (value, author) =>
    (author === 'policy' ? listOfReadable(item) : list(item))(value, author);

/** The same, but a policy of which no item can be read leaves the whole unreadable. */
export const listOfSome =
  (item: Shape): Shape =>
  (value, author) => {
    const read = listOfPolicy(item)(value, author);
    return Array.isArray(value) && value.length > 0 && Array.isArray(read) && read.length === 0 ? unreadable : read;
  };

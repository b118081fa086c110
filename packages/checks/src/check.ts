import { isPlainObject } from './json-copy.ts';
import { isRecord, kindOf, shown } from './unknown-values.ts';
import { didYouMean, type Elsewhere } from './did-you-mean.ts';
import { inside, refuse, unreadable } from './refusing.ts';

/**
 * Reads a value of any kind once, and returns what is used from then on.
 * @throws {TypeError} that names the place.
 */
export type Check<T> = (value: unknown, place: string) => T;

/** One check for each key, so that a new key without one does not compile. */
export type Checks<T> = { readonly [Key in keyof T]-?: Check<Exclude<T[Key], undefined>> };

/** By default a string that can be an argument, a path or a name: not empty, and without the character NUL. */
export function text<T extends string = string>(
  wanted = 'a string that is not empty',
  form: RegExp = /^[^\0]+$/,
): Check<T> {
  return (value, place) => {
    if (typeof value === 'string' && form.test(value)) return value as T; // the form makes it the narrower type
    // The string itself is not shown: it may be a secret in the wrong place.
    throw refuse(place, wanted, typeof value === 'string' ? faultOf(value) : kindOf(value));
  };
}

function faultOf(value: string): string {
  if (value === '') return 'an empty one';
  return value.includes('\0') ? 'one with a NUL character' : 'another string';
}

/** For what is checked where it is used: the row then only names the option. */
export function given<T>(): Check<T> {
  return (value) => value as T; // as far as it is known here
}

export const flag: Check<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value;
  throw refuse(place, 'true or false', shown(value));
};

export function oneOf<T extends string>(...choices: readonly T[]): Check<T> {
  return (value, place) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const quoted = choices.map((choice) => `"${choice}"`).join(', ');
    throw refuse(place, choices.length === 1 ? quoted : `one of ${quoted}`, shown(value));
  };
}

export function number({
  above,
  least,
  whole = false,
}: {
  above?: number;
  least?: number;
  whole?: boolean;
}): Check<number> {
  const kind = whole ? 'a whole number' : 'a number';
  const wanted = above === undefined ? `${kind} of at least ${least}` : `${kind} greater than ${above}`;
  return (value, place) => {
    const isNumber = typeof value === 'number' && (whole ? Number.isSafeInteger(value) : Number.isFinite(value));
    if (isNumber && value > (above ?? -Infinity) && value >= (least ?? -Infinity)) return value;
    throw refuse(place, wanted, shown(value));
  };
}

/** What a function takes and gives is seen only when it is called. */
export function callable<T extends (...args: never[]) => unknown>(): Check<T> {
  return (value, place) => {
    if (typeof value === 'function') return value as T; // a function cannot be inspected
    throw refuse(place, 'a function', kindOf(value));
  };
}

/** An object of the program's with these methods; it keeps its own `this`. */
export function having<T extends object>(...methods: readonly (string & keyof T)[]): Check<T> {
  return (value, place) => {
    if (typeof value === 'object' && value !== null && methods.every((name) => isMethod(value, name, place)))
      return value as T; // as far as it can be seen before it is called
    throw refuse(
      place,
      `an object with the ${methods.length > 1 ? 'methods' : 'method'} ${methods.join(', ')}`,
      kindOf(value),
    );
  };
}

export function isMethod(value: object, name: string, place: string): boolean {
  return typeof read(value, name, place) === 'function';
}

export function list<T>(item: Check<T>, wanted = 'a list'): Check<readonly T[]> {
  return (value, place) => {
    if (!isList(value, place)) throw refuse(place, wanted, kindOf(value));
    const length = Number(read(value, 'length', place));
    const items: T[] = [];
    for (let index = 0; index < length; index += 1)
      items.push(item(read(value, String(index), inside(place, index)), inside(place, index)));
    return items;
  };
}

/** A plain object whose keys the program chooses; what is undefined counts as left out. */
export function dictionary<T>(
  member: Check<T>,
  checkName: (name: string, place: string) => void = () => {},
): Check<Readonly<Record<string, T>>> {
  return (value, place) => {
    const members = membersOf(value, place, { checkName }).filter(([, found]) => found !== undefined);
    return Object.fromEntries(members.map(([name, found]) => [name, member(found, inside(place, name))]));
  };
}

export interface RecordOptions<T> {
  readonly required?: readonly (string & keyof T)[];
  /** What an unknown name may stand for. */
  readonly elsewhere?: Elsewhere;
  /** The hint for a name that resembles none. */
  readonly otherwise?: string;
  /** What the object itself is called, where its keys are named without it. */
  readonly called?: string;
  /** What belongs there, for the message where no object is passed. */
  readonly wanted?: string;
}

/** A plain object with these keys and no others; what is undefined counts as left out. */
export function record<T>(
  checks: Checks<T>,
  { required = [], called, wanted, ...hints }: RecordOptions<T> = {},
): Check<T> {
  const names = Object.keys(checks) as (string & keyof T)[]; // by its type, a table has exactly these
  return (value, place) => {
    const members = new Map(
      membersOf(value, place, {
        called,
        wanted,
        checkName: (name) => {
          if (Object.hasOwn(checks, name)) return;
          const hint = didYouMean(name, { names, place, ...hints });
          throw new TypeError(`\`${inside(place, name)}\` is not known. ${hint}`);
        },
      }),
    );
    const present = names.filter((name) => members.get(name) !== undefined || required.includes(name));
    const checked = present.map((name) => [name, checks[name](members.get(name), inside(place, name))] as const);
    return Object.fromEntries(checked) as T; // each member was checked by the row of its key
  };
}

interface MembersOptions {
  readonly called?: string | undefined;
  readonly wanted?: string | undefined;
  /** Called for every name before any value is read. */
  readonly checkName?: (name: string, place: string) => void;
}

/** All own members, each read once; hidden ones count, and inherited ones there are none. */
export function membersOf(
  value: unknown,
  place: string,
  { called = place, wanted = 'a plain object', checkName = () => {} }: MembersOptions = {},
): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || isList(value, called) || !isPlain(value, called))
    throw refuse(called, wanted, kindOf(value));
  const names = ownNames(value, called);
  for (const name of names) checkName(name, place);
  return names.map((name) => [name, read(value, name, inside(place, name))]);
}

function ownNames(value: object, place: string): readonly string[] {
  const keys = ownKeys(value, place);
  // No value may be ignored without an error, and no option has a symbol as its name.
  if (keys.some((key) => typeof key === 'symbol'))
    throw refuse(place, 'an object whose keys are strings', 'one with a symbol among them');
  return keys.filter((key) => typeof key === 'string');
}

function ownKeys(value: object, place: string): readonly PropertyKey[] {
  try {
    return Reflect.ownKeys(value);
  } catch (error) {
    throw unreadable(place, error);
  }
}

/** The runtime makes `process.env` of a class, and programs pass it wherever variables belong. */
function isEnvironment(value: object): boolean {
  const runtime: unknown = Reflect.get(globalThis, 'process');
  return isRecord(runtime) && runtime['env'] === value;
}

function isPlain(value: object, place: string): boolean {
  try {
    return isPlainObject(value) || isEnvironment(value);
  } catch (error) {
    throw unreadable(place, error);
  }
}

export function isList(value: unknown, place: string): value is object {
  try {
    return Array.isArray(value);
  } catch (error) {
    throw unreadable(place, error); // a proxy that was revoked
  }
}

export function read(value: object, name: string, place: string): unknown {
  try {
    return Reflect.get(value, name) as unknown;
  } catch (error) {
    throw unreadable(place, error);
  }
}

import { isRecord } from '@hexagent/checks';
import type { Fields } from './json-rpc.ts';

/** The problems of a value, each beginning with its path. */
export type PlainCheck = (value: unknown, path: string) => readonly string[];

/** Makes one check of a keyword's value. `malformed` makes the error for a value that no such keyword has. */
type Leaf = (value: unknown, malformed: (why: string) => TypeError) => PlainCheck;

/** A map, since every object inherits a `constructor`. */
export const keywordMap = <T>(keywords: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(keywords));

export const checkType: Leaf = (value, malformed) => {
  const types = value === undefined ? [] : [value].flat();
  if (!types.every((type) => names.has(type))) throw malformed(`is ${JSON.stringify(value)}, which is no type`);
  const wanted = types.map(String).join(' or ');
  return (given, path) =>
    types.length === 0 || types.some((type) => isOfType(given, type))
      ? []
      : [`${at(path)}expected ${wanted}, received ${typeOf(given)}`];
};

/** The keywords of JSON Schema that contain no other schema, except `type`. */
export const leaves: ReadonlyMap<string, Leaf> = /* @__PURE__ */ keywordMap<Leaf>({
  enum(value, malformed) {
    if (!Array.isArray(value)) throw malformed('must be a list');
    const wanted = value.map((choice) => textOfValue(choice)).join(', ');
    return (given, path) =>
      value.some((choice) => isEqual(choice, given)) ? [] : [`${at(path)}expected one of ${wanted}`];
  },
  const: (value) => (given, path) => (isEqual(value, given) ? [] : [`${at(path)}expected ${textOfValue(value)}`]),
  required(value, malformed) {
    if (!Array.isArray(value)) throw malformed('must be a list of names');
    return (given, path) => missing(given, value, path);
  },
  dependentRequired(value, malformed) {
    if (!isRecord(value)) throw malformed('must be an object of lists');
    const needs = Object.entries(value).map(([key, needed]) => [key, Array.isArray(needed) ? needed : []] as const);
    return (given, path) =>
      needs.flatMap(([key, needed]) =>
        isRecord(given) && Object.hasOwn(given, key) ? missing(given, needed, path) : [],
      );
  },
  pattern(value, malformed) {
    const pattern = patternOf(value, malformed);
    return (given, path) =>
      typeof given !== 'string' || pattern.test(given) ? [] : [`${at(path)}must match ${pattern.source}`];
  },
  uniqueItems: (value) => (given, path) =>
    value === true &&
    Array.isArray(given) &&
    given.some((item, index) => given.slice(0, index).some((other) => isEqual(item, other)))
      ? [`${at(path)}must not contain an item twice`]
      : [],
  minimum: bound(numberOf, (given, limit) => given >= limit, 'must be at least'),
  maximum: bound(numberOf, (given, limit) => given <= limit, 'must be at most'),
  exclusiveMinimum: bound(numberOf, (given, limit) => given > limit, 'must be greater than'),
  exclusiveMaximum: bound(numberOf, (given, limit) => given < limit, 'must be less than'),
  multipleOf: bound(numberOf, isMultiple, 'must be a multiple of'),
  minLength: bound(lengthOf, (given, limit) => given >= limit, 'must have at least', 'characters'),
  maxLength: bound(lengthOf, (given, limit) => given <= limit, 'must have at most', 'characters'),
  minItems: bound(itemsOf, (given, limit) => given >= limit, 'must have at least', 'items'),
  maxItems: bound(itemsOf, (given, limit) => given <= limit, 'must have at most', 'items'),
  minProperties: bound(keysOf, (given, limit) => given >= limit, 'must have at least', 'fields'),
  maxProperties: bound(keysOf, (given, limit) => given <= limit, 'must have at most', 'fields'),
});

const names: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** `measure` is `undefined` for a value to which the keyword does not apply. */
function bound(
  measure: (value: unknown) => number | undefined,
  holds: (measured: number, limit: number) => boolean,
  requirement: string,
  unit = '',
): Leaf {
  return (limit, malformed) => {
    if (typeof limit !== 'number') throw malformed('must be a number');
    const sentence = `${requirement} ${limit}${unit === '' ? '' : ` ${unit}`}`;
    return (value, path) => {
      const measured = measure(value);
      return measured === undefined || holds(measured, limit) ? [] : [`${at(path)}${sentence}`];
    };
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The length in characters, as JSON Schema counts it: an emoji is one character. */
function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined;
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function keysOf(value: unknown): number | undefined {
  return isRecord(value) ? Object.keys(value).length : undefined;
}

/** The quotient of decimal fractions is rarely a whole number to the last bit: 0.3 / 0.1 is 2.9999999999999996. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 2;
}

function missing(value: unknown, keys: readonly unknown[], path: string): readonly string[] {
  if (!isRecord(value)) return [];
  return keys
    .filter((key) => !Object.hasOwn(value, String(key)))
    .map((key) => `${at(path === '' ? String(key) : `${path}.${String(key)}`)}required, and missing`);
}

function patternOf(value: unknown, malformed: (why: string) => TypeError): RegExp {
  try {
    if (typeof value === 'string') return new RegExp(value, 'u');
  } catch {
    // Reported below.
  }
  throw malformed(`is ${String(value)}, which is no regular expression`);
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  return Object.keys(one).length === Object.keys(other).length && hasSameFields(one, other);
}

const hasSameFields = (one: Fields, other: Fields): boolean =>
  Object.entries(one).every(([key, value]) => Object.hasOwn(other, key) && isEqual(value, other[key]));

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const at = (path: string): string => (path === '' ? '' : `${path}: `);

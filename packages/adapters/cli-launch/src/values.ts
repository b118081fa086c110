import { isRecord, jsonCopy, kindAndKeys, kindOf } from '@hexagent/checks';

/** The error for a wrong value, with the option, the value and what to pass instead. */
export function wrongValue(option: string, value: unknown, remedy: string): TypeError {
  return new TypeError(`${option}: ${formatValue(value)} is refused. ${remedy}`);
}

/** The error for a wrong text, without the text: it may be a secret in the wrong place. */
export function wrongText(place: string, wanted: string, remedy: string): TypeError {
  return new TypeError(`${place}: this text is no ${wanted}. ${remedy}`);
}

export function requireNumber(
  option: string,
  value: number,
  { above = -Infinity, whole = false }: { readonly above?: number; readonly whole?: boolean },
): number {
  if (Number.isFinite(value) && value > above && (!whole || Number.isInteger(value))) return value;
  const limit = above === -Infinity ? '' : ` greater than ${above}`;
  throw wrongValue(option, value, `Pass a ${whole ? 'whole ' : ''}number${limit}.`);
}

/** Returns a copy, so that the checked items are the used ones. */
export function requireStrings(option: string, value: unknown, remedy: string): readonly string[] {
  if (!Array.isArray(value)) throw wrongValue(option, value, `Pass a list. ${remedy}`);
  return Array.from(value, (item: unknown) => {
    if (typeof item !== 'string') throw wrongValue(option, item, remedy);
    return item;
  });
}

/** Shows only the kind of a wrong value, which may hold secrets. */
export function requireRecord(option: string, value: unknown): Readonly<Record<string, unknown>> {
  if (hasMembers(value)) return value;
  throw new TypeError(`${option}: ${kindOf(value)} is refused. Pass a plain object.`);
}

/** JSON for a private file. @throws {TypeError} for a value of which JSON would lose a part. */
export function toJson(option: string, value: unknown): string {
  const copy = checkJson(option, value);
  try {
    return JSON.stringify(copy);
  } catch (cause) {
    throw new TypeError(`${option}: this is too long to be written as JSON.`, { cause });
  }
}

/**
 * Returns a copy as JSON carries it. What JSON leaves out or changes without an error, such as the entries of a Map, is
 * refused: a deny rule that is lost denies nothing.
 */
export function checkJson(option: string, value: unknown): unknown {
  const { copy, lost } = jsonCopy(value, { name: option, exact: true, allowToJson: true });
  if (lost !== undefined) throw new TypeError(`${option}: ${lost}`);
  return copy;
}

/** A plain object, or an instance of a class that has own members. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The Object.prototype of another realm has no prototype either.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return true;
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindAndKeys(value);
}

import { kindOf } from '@hexagent/ports';

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
  { above, whole = false }: { readonly above: number; readonly whole?: boolean },
): number {
  if (Number.isFinite(value) && value > above && (!whole || Number.isInteger(value))) return value;
  throw wrongValue(option, value, `Pass a ${whole ? 'whole ' : ''}number greater than ${above}.`);
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
  if (isPlainObject(value)) return value;
  throw new TypeError(`${option}: ${kindOf(value)} is refused. Pass a plain object.`);
}

/** JSON for a private file. @throws {TypeError} for a value of which JSON would lose a part. */
export function toJson(option: string, value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
    checkJson(option, value);
  } catch (cause) {
    if (json !== undefined && cause instanceof TypeError) throw cause;
    throw new TypeError(`${option}: this cannot be written as JSON. Pass plain objects, lists, texts and numbers.`, {
      cause,
    });
  }
  return json;
}

/**
 * Refuses what JSON leaves out or changes without an error, such as the entries of a Map: a deny rule that is lost
 * denies nothing.
 */
export function checkJson(place: string, value: unknown): void {
  const written = isObject(value) && typeof value['toJSON'] === 'function' ? (value['toJSON']() as unknown) : value; // as JSON.stringify does
  if (Array.isArray(written)) {
    const items: readonly unknown[] = Array.from(written);
    for (const [index, item] of items.entries()) {
      if (item === undefined) throw lost(`${place}[${index}]`, item);
      checkJson(`${place}[${index}]`, item);
    }
  } else if (isPlainObject(written)) {
    for (const [key, member] of Object.entries(written)) if (member !== undefined) checkJson(`${place}.${key}`, member);
  } else if (isObject(written) || !isPlainValue(written)) throw lost(place, written);
}

function lost(place: string, value: unknown): TypeError {
  return new TypeError(
    `${place}: ${kindOf(value)} is lost when it is written as JSON. Pass plain objects, lists, texts and numbers.`,
  );
}

const isPlainValue = (value: unknown): boolean =>
  value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A plain object, or an instance of a class that has own members. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The Object.prototype of another realm inherits from nothing, too.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return true;
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (isPlainObject(value)) return `an object with the keys ${Object.keys(value).join(', ') || '(none)'}`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

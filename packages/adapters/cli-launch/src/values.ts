import { kindOf } from '@hexagent/ports';

/** A wrong argument: named with its value and what to pass instead. */
export function refuseValue(option: string, value: unknown, remedy: string): TypeError {
  return new TypeError(`${option}: ${show(value)} is refused. ${remedy}`);
}

/** The same for a text that may be a secret in the wrong place: its place is named, and not what it says. */
export function refuseText(place: string, wanted: string, remedy: string): TypeError {
  return new TypeError(`${place}: this text is no ${wanted}. ${remedy}`);
}

export function wantNumber(
  option: string,
  value: number,
  { above, whole = false }: { readonly above: number; readonly whole?: boolean },
): number {
  if (Number.isFinite(value) && value > above && (!whole || Number.isInteger(value))) return value;
  throw refuseValue(option, value, `Pass a ${whole ? 'whole ' : ''}number greater than ${above}.`);
}

/** A copy, so that what was checked is what is used. */
export function wantStrings(option: string, value: unknown, remedy: string): readonly string[] {
  if (!Array.isArray(value)) throw refuseValue(option, value, `Pass a list. ${remedy}`);
  return Array.from(value, (item: unknown) => {
    if (typeof item !== 'string') throw refuseValue(option, item, remedy);
    return item;
  });
}

/** The value may hold secrets, so only its kind is shown. */
export function wantRecord(option: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isPlainObject(value)) return value;
  throw new TypeError(`${option}: ${kindOf(value)} is refused. Pass a plain object.`);
}

/** JSON for a private file, or a refusal of what would be missing in it. */
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
 * Refuses what JSON leaves out or turns into something else without an error, such as the entries of a Map: a rule
 * that is lost on the way denies nothing.
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

/** An object whose own members are all there is to it; of an instance of a class, only one that has any. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Another realm has an Object.prototype of its own; it too inherits from nothing.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return true;
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (isPlainObject(value)) return `an object with the keys ${Object.keys(value).join(', ') || '(none)'}`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

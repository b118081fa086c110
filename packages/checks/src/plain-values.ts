import { isPlainObject, jsonCopy } from './json-copy.ts';
import { kindOf, shown } from './unknown-values.ts';

/**
 * A copy of what a program passes to decide about a call: plain objects, lists, texts and numbers, each read once. Of a
 * promise, a Map, a date, a getter or an instance of a class a part would be lost, and the original call would run. A proxy
 * is none of these, and may answer each reader otherwise.
 * @throws {TypeError} naming the place in the value, which is called `name`.
 */
export function plainCopy<T>(value: T, name: string): T {
  const { copy, lost } = jsonCopy(value, { name, exact: true, plain: true });
  if (lost !== undefined) throw new TypeError(lost);
  refuseProxies(value, name);
  return copy as T; // holds the same, as was just found
}

/** @param value plain in all else: then a structured clone fails for a proxy alone, which nothing else shows outside Node */
export function refuseProxies(value: unknown, name: string): void {
  try {
    structuredClone(value);
  } catch (cause) {
    const what = name === '' ? 'A value' : `\`${name}\``;
    throw new TypeError(`${what} is or holds a proxy; pass plain objects and lists.`, { cause });
  }
}

/**
 * A copy of the options of the function `name`.
 * @throws {TypeError} for anything but plain values, and for an option that is not known.
 */
export function plainOptions<T extends object>(
  name: string,
  options: T,
  known: readonly Extract<keyof T, string>[],
): T {
  const listed = known.map((option) => `\`${option}\``).join(', ');
  if (!isPlainObject(options))
    throw new TypeError(`The options of ${name}() must be an object with ${listed}, not ${kindOf(options)}.`);
  const unknown = Reflect.ownKeys(options).find((key) => !known.some((option) => option === key));
  if (unknown !== undefined)
    throw new TypeError(`${shown(String(unknown))} is no option of ${name}(). It takes ${listed}.`);
  return plainCopy(options, '');
}

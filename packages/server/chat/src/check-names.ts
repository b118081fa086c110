import { isRecord, kindOf, nearestName } from '@hexagent/checks';

/** A table of all names that a type has. */
export type NamesOf<T> = Readonly<Record<keyof T & string, true>>;

/**
 * An unknown name would be ignored silently: a chat that was to keep its records in `foldr` would keep them elsewhere.
 * @throws {TypeError} for what is not an object, and for a name that the table does not have.
 */
export function checkNames(value: unknown, names: Readonly<Record<string, true>>, place: string): void {
  if (value === undefined) return;
  if (!isRecord(value)) throw new TypeError(`${place} must be an object, not ${kindOf(value)}.`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const near = nearestName(unknown, Object.keys(names));
  throw new TypeError(
    `${place} must not have \`${unknown.slice(0, 60)}\`. ${near === undefined ? 'Leave it out.' : `Did you mean \`${near}\`?`}`,
  );
}

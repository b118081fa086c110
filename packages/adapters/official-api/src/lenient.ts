/*
 * How the official package reads odd values. JavaScript programs rely on it: an option is often the result of
 * `condition && value`, of an empty variable, or of a text that was split.
 */

/** `undefined` for `null`, `false`, `''`, `0` and `NaN`, which count as not given in the official package. */
export function given<T>(value: T): Exclude<T, null | false | '' | 0> | undefined {
  // What is left has passed the condition that the type describes.
  return value ? (value as Exclude<T, null | false | '' | 0>) : undefined;
}

/** A switch is on for any truthy value. */
export function isOn(value: unknown): true | undefined {
  return value ? true : undefined;
}

/** A switch that the agent also receives when it is off. */
export function onOrOff(value: unknown): boolean | undefined {
  return value === false ? false : isOn(value);
}

/** A list without its empty items; what is not a list stays as it is, for the launcher to refuse. */
export function items<T extends readonly unknown[]>(list: T | undefined): T | undefined {
  // Only values that request nothing are removed.
  return Array.isArray(list) ? (list.filter((item) => !isEmpty(item)) as readonly unknown[] as T) : given(list);
}

/** The names of a list. As the CLI reads them, one item may hold several, and spaces around them do not count. */
export function names<T extends readonly unknown[]>(list: T | undefined): T | undefined {
  const all = items(list);
  // Texts stay texts: each is only split.
  return Array.isArray(all) ? (all.flatMap(split) as readonly unknown[] as T) : all;
}

/** Inside parentheses a comma belongs to a rule. */
function split(item: unknown): readonly unknown[] {
  return typeof item === 'string' && !/[()]/u.test(item) ? item.split(/[\s,]+/u).filter(Boolean) : [item];
}

const isEmpty = (item: unknown): boolean => item === undefined || item === null || item === false || item === '';

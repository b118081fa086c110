import type { HookMatcher, HookTable } from '@hexagent/ports';

/** What a table holds for one event. */
export type TableEntry = readonly [event: string, matchers: readonly HookMatcher[]];

/**
 * The events of a table, in its order; an event whose value is `undefined` is not there.
 * @throws {TypeError} for what the agent would not understand, naming event and place.
 */
export function checkTable(table: HookTable): readonly TableEntry[] {
  // The entries of a Map are no keys: its hooks would be dropped without an error.
  if (!isObject(table) || Symbol.iterator in table)
    throw new TypeError(`Hooks must be an object with events as its keys, not ${describe(table)}.`);
  return Object.entries(table).flatMap(([event, matchers]): TableEntry[] => {
    if (matchers === undefined) return [];
    if (event.trim() === '') throw new TypeError('Hooks: the name of an event is empty.');
    if (!Array.isArray(matchers))
      throw new TypeError(`Hooks: ${event} must be a list of matchers, not ${describe(matchers)}.`);
    for (const [index, matcher] of matchers.entries()) checkMatcher(matcher, `${event}[${index}]`);
    return [[event, matchers]];
  });
}

function checkMatcher(value: unknown, place: string): void {
  if (!isObject(value))
    throw new TypeError(`Hooks: ${place} must be an object with a list of hooks, not ${describe(value)}.`);
  const { matcher, hooks, timeout, onFailure } = value;
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`Hooks: ${place}.matcher must be a string, not ${describe(matcher)}.`);
  }
  if (!Array.isArray(hooks))
    throw new TypeError(`Hooks: ${place}.hooks must be a list of functions, not ${describe(hooks)}.`);
  for (const [index, hook] of hooks.entries()) {
    if (typeof hook !== 'function')
      throw new TypeError(`Hooks: ${place}.hooks[${index}] must be a function, not ${describe(hook)}.`);
  }
  if (timeout !== undefined && !isSeconds(timeout)) {
    throw new TypeError(`Hooks: ${place}.timeout must be a positive number of seconds, not ${describe(timeout)}.`);
  }
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block') {
    throw new TypeError(`Hooks: ${place}.onFailure must be "continue" or "block", not ${describe(onFailure)}.`);
  }
}

/** For messages. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSeconds = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

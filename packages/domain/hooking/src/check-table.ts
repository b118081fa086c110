import { isRecord, shown } from '@hexagent/ports';
import type { HookMatcher, HookTable } from '@hexagent/ports';

/** One event of a table, with its matchers. */
export type TableEntry = readonly [event: string, matchers: readonly HookMatcher[]];

/**
 * Returns the events of a table in its order, without those whose value is `undefined`.
 * @throws {TypeError} for a table that the agent cannot use, naming the event and the place.
 */
export function checkTable(table: HookTable): readonly TableEntry[] {
  // A Map has no keys of its own: without this check, its hooks would be dropped silently.
  if (!isRecord(table) || Symbol.iterator in table)
    throw new TypeError(`Hooks must be an object with events as its keys, not ${shown(table)}.`);
  return Object.entries(table).flatMap(([event, matchers]): TableEntry[] => {
    if (matchers === undefined) return [];
    if (event.trim() === '') throw new TypeError('Hooks: the name of an event is empty.');
    if (!Array.isArray(matchers))
      throw new TypeError(`Hooks: ${event} must be a list of matchers, not ${shown(matchers)}.`);
    for (const [index, matcher] of matchers.entries()) checkMatcher(matcher, `${event}[${index}]`);
    return [[event, matchers]];
  });
}

function checkMatcher(value: unknown, place: string): void {
  if (!isRecord(value))
    throw new TypeError(`Hooks: ${place} must be an object with a list of hooks, not ${shown(value)}.`);
  const { matcher, hooks, timeout, onFailure } = value;
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`Hooks: ${place}.matcher must be a string, not ${shown(matcher)}.`);
  }
  if (!Array.isArray(hooks))
    throw new TypeError(`Hooks: ${place}.hooks must be a list of functions, not ${shown(hooks)}.`);
  for (const [index, hook] of hooks.entries()) {
    if (typeof hook !== 'function')
      throw new TypeError(`Hooks: ${place}.hooks[${index}] must be a function, not ${shown(hook)}.`);
  }
  if (timeout !== undefined && !isSeconds(timeout)) {
    throw new TypeError(`Hooks: ${place}.timeout must be a positive number of seconds, not ${shown(timeout)}.`);
  }
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block') {
    throw new TypeError(`Hooks: ${place}.onFailure must be "continue" or "block", not ${shown(onFailure)}.`);
  }
}

const isSeconds = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

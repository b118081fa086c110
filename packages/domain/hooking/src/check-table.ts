import { isRecord, shown } from '@hexagent/ports';
import type { HookMatcher, HookTable } from '@hexagent/ports';
import { eventFacts, factsOf } from './events.ts';
import { wrongPlaceOf } from './ready-made-marks.ts';
import { wrongWithMatcher } from './wrong-matchers.ts';

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
    for (const [index, matcher] of matchers.entries()) checkMatcher(matcher, event, `Hooks: ${event}[${index}]`);
    return [[event, matchers]];
  });
}

/**
 * The same, and what the agent would accept and not follow is refused as well: events and matchers that never call a
 * hook, and members that are not known, such as a misspelt matcher, without which the hook is called for every tool.
 * @throws {TypeError} naming the event and the place.
 */
export function checkTableStrictly(table: HookTable): readonly TableEntry[] {
  const entries = checkTable(table);
  for (const [event, matchers] of entries) {
    refuseUnknownEvent(event, 'Hooks');
    for (const [index, entry] of matchers.entries()) {
      refuseUnknownMember(entry, `Hooks: ${event}[${index}]`);
      refuseWrongMatcher(event, entry.matcher, `Hooks: ${event}[${index}].matcher`);
    }
  }
  return entries;
}

function refuseUnknownMember(entry: HookMatcher, place: string): void {
  const unknown = Object.keys(entry).find((name) => !['matcher', 'hooks', 'timeout', 'onFailure'].includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${place}: ${shown(unknown)} is not known. There are matcher, hooks, timeout and onFailure.`);
}

export function refuseUnknownEvent(event: unknown, place: string): void {
  if (typeof event !== 'string') throw new TypeError(`${place}: the event must be a string, not ${shown(event)}.`);
  if (factsOf(event) !== undefined) return;
  const events = Object.keys(eventFacts);
  const meant = events.find((known) => known.toLowerCase() === event.toLowerCase());
  const hint = meant === undefined ? `There are: ${events.join(', ')}.` : `Did you mean ${shown(meant)}?`;
  throw new TypeError(`${place}: ${shown(event)} is no event. ${hint}`);
}

export function refuseWrongMatcher(event: string, matcher: string | undefined, place: string): void {
  const wrong = wrongWithMatcher(event, matcher ?? '');
  if (wrong !== undefined) throw new TypeError(`${place} ${wrong}`);
}

/** @throws {TypeError} unless this is a list of hooks with a matcher and options, naming the place. */
export function checkMatcher(value: unknown, event: string, place: string): asserts value is HookMatcher {
  if (!isRecord(value)) throw new TypeError(`${place} must be an object with a list of hooks, not ${shown(value)}.`);
  const { matcher, hooks, timeout, onFailure } = value;
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw new TypeError(`${place}.matcher must be a string, not ${shown(matcher)}.`);
  }
  if (!Array.isArray(hooks)) throw new TypeError(`${place}.hooks must be a list of functions, not ${shown(hooks)}.`);
  for (const [index, hook] of hooks.entries()) checkHook(hook, event, `${place}.hooks[${index}]`);
  if (timeout !== undefined && !isSeconds(timeout)) {
    throw new TypeError(`${place}.timeout must be a positive number of seconds, not ${shown(timeout)}.`);
  }
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block') {
    throw new TypeError(`${place}.onFailure must be "continue" or "block", not ${shown(onFailure)}.`);
  }
}

/** @throws {TypeError} unless this is a function that can serve the event, naming the place. */
export function checkHook(hook: unknown, event: string, place: string): void {
  if (typeof hook !== 'function') throw new TypeError(`${place} must be a function, not ${shown(hook)}.`);
  const wrong = wrongPlaceOf(hook, event);
  if (wrong !== undefined) throw new TypeError(`${place}: ${wrong}`);
}

const isSeconds = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

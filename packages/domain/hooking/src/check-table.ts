import { isRecord, kindOf, nearestName, shown } from '@hexagent/checks';
import type { HookMatcher, HookTable } from '@hexagent/ports';
import { eventFacts, factsOf } from './events.ts';
import type { HookHandler } from './hook-call.ts';
import { wrongInTable, wrongPlaceOf } from './ready-made-marks.ts';
import { wrongWithMatcher } from './wrong-matchers.ts';

/** One event of a table, with its matchers. */
export type TableEntry = readonly [event: string, matchers: readonly HookMatcher[]];

/** The name of a table in messages, at all doors. */
const root = 'hooks';

const placeOf = (event: string): string =>
  /^[\w$-]{1,60}$/.test(event) ? `${root}.${event}` : `${root}[${shown(event)}]`;

/**
 * Returns the events of a table in its order, without those whose value is `undefined`.
 * @throws {TypeError} for a table that the agent cannot use, naming the event and the place.
 */
export function checkTable(table: HookTable): readonly TableEntry[] {
  if (Array.isArray(table))
    throw new TypeError(`\`${root}\` must be one table, not a list. Join several: createHooks(first, second).`);
  // The entries of a Map are not keys: without this check, its hooks would be dropped silently.
  if (!isRecord(table) || Symbol.iterator in table)
    throw new TypeError(`\`${root}\` must be an object with events as its keys, not ${kindOf(table)}.`);
  return Object.entries(table).flatMap(([event, matchers]): TableEntry[] => {
    if (matchers === undefined) return [];
    if (event.trim() === '') throw new TypeError(`\`${root}\`: the name of an event is empty.`);
    if (!Array.isArray(matchers))
      throw new TypeError(`\`${placeOf(event)}\` must be a list of { matcher, hooks }, not ${kindOf(matchers)}.`);
    for (const [index, matcher] of matchers.entries()) checkMatcher(matcher, event, `${placeOf(event)}[${index}]`);
    return [[event, matchers]];
  });
}

/**
 * The same, and what the agent would accept and not follow is refused as well: events and matchers that never call a
 * hook, and unknown members, such as a misspelt matcher, without which the hook is called for every tool.
 * @throws {TypeError} naming the event and the place.
 */
export function checkTableStrictly(table: HookTable): readonly TableEntry[] {
  // Checked first, since a misspelt name explains why the right one is missing.
  if (isRecord(table) && !(Symbol.iterator in table)) refuseUnknownNames(table);
  const entries = checkTable(table);
  for (const [event, matchers] of entries)
    for (const [index, { matcher }] of matchers.entries())
      refuseWrongMatcher(event, matcher, `${placeOf(event)}[${index}]`);
  return entries;
}

function refuseUnknownNames(table: HookTable): void {
  for (const [event, matchers] of Object.entries(table) as readonly (readonly [string, unknown])[]) {
    if (event.trim() === '' || matchers === undefined) continue;
    if (factsOf(event) === undefined)
      throw new TypeError(`\`${placeOf(event)}\` is no event. ${meantEvent(event, (name) => `\`${placeOf(name)}\``)}`);
    for (const [index, entry] of Array.isArray(matchers) ? matchers.entries() : [])
      if (isRecord(entry)) refuseUnknownMember(entry, `${placeOf(event)}[${index}]`);
  }
}

const members: readonly string[] = ['matcher', 'hooks', 'timeout', 'onFailure'];

function refuseUnknownMember(entry: Readonly<Record<string, unknown>>, place: string): void {
  const unknown = Object.keys(entry).find((name) => !members.includes(name));
  if (unknown === undefined) return;
  const meant = /^(?:hook|callbacks?)$/.test(unknown) ? 'hooks' : nearestName(unknown, members);
  const hint = meant === undefined ? `There are ${members.join(', ')}.` : `Did you mean \`${place}.${meant}\`?`;
  throw new TypeError(`\`${place}.${unknown.slice(0, 60)}\` is not known. ${hint}`);
}

export function refuseUnknownEvent(event: unknown, place: string): void {
  if (typeof event !== 'string') throw new TypeError(`${place}: the event must be a string, not ${kindOf(event)}.`);
  if (factsOf(event) === undefined)
    throw new TypeError(`${place}: ${shown(event)} is no event. ${meantEvent(event, shown)}`);
}

function meantEvent(event: string, written: (name: string) => string): string {
  const events = Object.keys(eventFacts);
  const meant = nearestName(event, events);
  return meant === undefined ? `There are: ${events.join(', ')}.` : `Did you mean ${written(meant)}?`;
}

export function refuseWrongMatcher(event: string, matcher: string | undefined, place: string): void {
  const wrong = wrongWithMatcher(event, matcher ?? '');
  if (wrong !== undefined) throw new TypeError(`\`${place}.matcher\` ${wrong}`);
}

/** @throws {TypeError} unless this is a list of hooks with a matcher and options, naming the place. */
export function checkMatcher(value: unknown, event: string, place: string): asserts value is HookMatcher {
  if (!isRecord(value)) throw new TypeError(`\`${place}\` must be { matcher, hooks }, not ${kindOf(value)}.`);
  const { matcher, hooks, timeout, onFailure } = value;
  if (matcher !== undefined && typeof matcher !== 'string')
    throw new TypeError(`\`${place}.matcher\` must be a string, not ${kindOf(matcher)}.`);
  if (!Array.isArray(hooks))
    throw new TypeError(`\`${place}.hooks\` must be a list of functions, not ${kindOf(hooks)}.`);
  for (const [index, hook] of hooks.entries()) checkHook(hook, event, `\`${place}.hooks[${index}]\``);
  if (timeout !== undefined && !isSeconds(timeout))
    throw new TypeError(`\`${place}.timeout\` must be a positive number of seconds, not ${shown(timeout)}.`);
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block')
    throw new TypeError(`\`${place}.onFailure\` must be "continue" or "block", not ${shown(onFailure)}.`);
}

/** @throws {TypeError} unless this is a function of a table that can serve the event, naming the place. */
function checkHook(hook: unknown, event: string, place: string): void {
  checkHandler(hook, event, place);
  const wrong = wrongInTable(hook);
  if (wrong !== undefined) throw new TypeError(`${place}: ${wrong}`);
}

/** @throws {TypeError} unless this is a function that can serve the event, naming the place. */
export function checkHandler(hook: unknown, event: string, place: string): asserts hook is HookHandler<never> {
  if (typeof hook !== 'function') throw new TypeError(`${place} must be a function, not ${kindOf(hook)}.`);
  const wrong = wrongPlaceOf(hook, event);
  if (wrong !== undefined) throw new TypeError(`${place}: ${wrong}`);
}

const isSeconds = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

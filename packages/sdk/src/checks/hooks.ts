import { type Check, isList, list, membersOf } from '@hexagent/checks';
import { checkTableStrictly, isHookSet } from '@hexagent/hooking';
import type { HookTable } from '@hexagent/ports';

/**
 * Hooks by event, in a table or in a set that `createHooks()` has made. Everything in it is read once here, and judged where
 * the tables of all doors are. What would never call a hook is refused: an event that the agent does not have, a matcher
 * that matches nothing.
 */
export const hooks: Check<HookTable> = (value, place) => {
  const table = copyOf(isHookSet(value) ? { ...value } : value, place, 'an object with events as its keys', matchers);
  return Object.fromEntries(checkTableStrictly(table as HookTable)); // it is judged there
};

const matchers: Check<unknown> = copyOfList((entry, place) =>
  copyOf(
    entry,
    place,
    '{ matcher, hooks }',
    copyOfList((hook) => hook),
  ),
);

/** A copy of an object. Anything else stays as it is, to be refused. */
function copyOf(value: unknown, place: string, wanted: string, member: Check<unknown>): unknown {
  if (typeof value !== 'object' || value === null || isList(value, place)) return value;
  return Object.fromEntries(
    membersOf(value, place, { wanted }).map(([name, found]) => [name, member(found, `${place}.${name}`)]),
  );
}

/** A copy of a list. Anything else stays as it is. */
function copyOfList(item: Check<unknown>): Check<unknown> {
  return (value, place) => (isList(value, place) ? list(item)(value, place) : value);
}

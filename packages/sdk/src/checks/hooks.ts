import { isHookSet, wrongWithMatcher } from '@hexagent/hooking';
import { HOOK_EVENTS } from '@hexagent/official-api';
import type { HookMatcher, HookTable } from '@hexagent/ports';
import { callable, dictionary, isList, list, number, oneOf, record, text, type Check } from './check.ts';
import { didYouMean } from './did-you-mean.ts';
import { inside } from './refusing.ts';

const matcher = record<HookMatcher>(
  {
    matcher: text('a string', /^/),
    hooks: list(callable(), 'a list of functions'),
    timeout: number({ above: 0 }),
    onFailure: oneOf('continue', 'block'),
  },
  {
    required: ['hooks'],
    elsewhere: { callback: 'hooks', callbacks: 'hooks', hook: 'hooks' },
    wanted: '{ matcher, hooks }',
  },
);
const byEvent: Check<HookTable> = dictionary(list(matcher, 'a list of { matcher, hooks }'), (event, place) => {
  if (HOOK_EVENTS.some((known) => known === event)) return;
  throw new TypeError(
    `\`${place}.${event.slice(0, 60)}\` is no event. ${didYouMean(event, { names: HOOK_EVENTS, place })}`,
  );
});

/**
 * Hooks by event, in a table or in a set that `createHooks()` has made. What would never call a hook is refused: an
 * event that the agent does not have, a matcher that matches nothing.
 */
export const hooks: Check<HookTable> = (value, place) => {
  if (isList(value, place))
    throw new TypeError(`\`${place}\` must be one table, not a list. Join several: createHooks(first, second).`);
  const table = byEvent(isHookSet(value) ? { ...value } : value, place);
  for (const [event, matchers = []] of Object.entries(table))
    for (const [index, { matcher: tools }] of matchers.entries()) {
      const wrong = tools === undefined ? undefined : wrongWithMatcher(event, tools);
      if (wrong === undefined) continue;
      throw new TypeError(`\`${inside(inside(inside(place, event), index), 'matcher')}\` ${wrong}`);
    }
  return table;
};

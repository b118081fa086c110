import { HOOK_EVENTS } from '@hexagent/official-api';
import type { HookMatcher, HookTable } from '@hexagent/ports';
import { callable, dictionary, list, number, oneOf, record, text, type Check } from './check.ts';
import { didYouMean } from './did-you-mean.ts';
import { inside } from './refusing.ts';
import { checkMatcher } from './tool-names.ts';

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

/** Hooks by event. An event that the agent does not have, or a tool that it does not have, would never call them. */
export const hooks: Check<HookTable> = (value, place) => {
  const table = byEvent(value, place);
  for (const [event, matchers = []] of Object.entries(table))
    for (const [index, { matcher: tools }] of matchers.entries())
      if (tools !== undefined) checkMatcher(event, tools, inside(inside(place, event), index));
  return table;
};

import type { HookMatcher, HookTable } from '@hexagent/ports';
import { given } from './lenient.ts';
import type { Options } from './types/options.ts';

/**
 * The hooks of a program. An event without a value is not there, as officially; what is no list of matchers is
 * refused, where officially the query ends without a message.
 * @throws {TypeError} naming the event.
 */
export function hookTableOf(hooks: NonNullable<Options['hooks']>): HookTable {
  const events = Object.entries(hooks).flatMap(([event, matchers]) =>
    given(matchers) === undefined ? [] : [[event, matchersOf(event, matchers)] as const],
  );
  return Object.fromEntries(events);
}

function matchersOf(event: string, matchers: unknown): readonly HookMatcher[] {
  if (!Array.isArray(matchers) || !matchers.every(hasHooks))
    throw new TypeError(`\`hooks.${event}\` must be a list of matchers, each with a list of \`hooks\`.`);
  // Callbacks get what the wire says, whose form the official types spell out by event. `null` counts as left out.
  return matchers.map(
    (matcher) =>
      Object.fromEntries(Object.entries(matcher).filter(([, value]) => value !== null)) as object as HookMatcher,
  );
}

function hasHooks(matcher: unknown): matcher is object & { readonly hooks: readonly unknown[] } {
  return typeof matcher === 'object' && matcher !== null && 'hooks' in matcher && Array.isArray(matcher.hooks);
}

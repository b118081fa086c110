import { isRecord, kindOf } from '@hexagent/checks';
import type { HookTable } from '@hexagent/ports';
import { given } from './lenient.ts';
import type { Options } from './types/options.ts';

/**
 * The hooks of a program. An event without a value is not there, as in the official package, and `null` counts as left out. What a list
 * has is checked where the tables of all doors are.
 * @throws {TypeError} for what is not a list, naming the event: in the official package the query ends without a message.
 */
export function hookTableOf(hooks: NonNullable<Options['hooks']>): HookTable {
  const events = Object.entries(hooks).flatMap(([event, matchers]: readonly [string, unknown]) => {
    if (given(matchers) === undefined) return [];
    if (Array.isArray(matchers)) return [[event, matchers.map(withoutNulls)] as const];
    throw new TypeError(`\`hooks.${event}\` must be a list of { matcher, hooks }, not ${kindOf(matchers)}.`);
  });
  // Callbacks receive the fields of the wire, for which the official types have a form per event.
  return Object.fromEntries(events);
}

/** Read by name, so that what a class or a prototype gives counts: without a matcher a hook covers every tool. */
function withoutNulls(matcher: unknown): unknown {
  if (!isRecord(matcher)) return matcher;
  return Object.fromEntries(
    ['matcher', 'hooks', 'timeout', 'onFailure'].flatMap((name) => {
      const value = matcher[name];
      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );
}

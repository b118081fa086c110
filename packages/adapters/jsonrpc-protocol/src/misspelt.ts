import { plainForm, slipsBetween } from '@hexagent/checks';
import type { Payload } from './call.ts';

/** The first name in a record that is not in the list and is a misspelling of one in it. */
export function misspeltIn(
  record: Payload,
  known: readonly string[],
): { readonly name: string; readonly meant: string } | undefined {
  for (const name of Object.keys(record)) {
    if (known.includes(name) || record[name] === undefined || record[name] === null) continue;
    const meant = known.find((other) => isSlipOf(name, other));
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

/** Other capitals and other ways to join the parts of a name are mistakes as well: `permission_decision`. */
function isSlipOf(name: string, other: string): boolean {
  const meant = plainForm(other);
  return slipsBetween(plainForm(name), meant) <= (meant.length > 6 ? 2 : 1);
}

export const isEmpty = (record: Payload): boolean => Object.keys(record).length === 0;

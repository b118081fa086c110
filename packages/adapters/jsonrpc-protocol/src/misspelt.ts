import type { Payload } from './call.ts';

/** The first name in a record that is none of the known ones, but a slip of the pen away from one. */
export function misspeltIn(
  record: Payload,
  known: readonly string[],
): { readonly name: string; readonly meant: string } | undefined {
  for (const name of Object.keys(record)) {
    if (known.includes(name) || record[name] === undefined || record[name] === null) continue;
    const meant = known.find((other) => isSlipOf(plain(name), plain(other)));
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

/** Other capitals and other ways to join words are slips as well: `permission_decision`. */
const plain = (name: string): string =>
  name
    .slice(0, 60)
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();

/** Whether one text becomes the other by one or two letters that are swapped, exchanged, put in or left out. */
function isSlipOf(one: string, other: string, slips = other.length > 6 ? 2 : 1): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  if (a === '' || b === '') return a.length + b.length <= slips;
  if (slips === 0) return false;
  const left = slips - 1;
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return (
    (isSwapped && isSlipOf(a.slice(2), b.slice(2), left)) ||
    isSlipOf(a.slice(1), b.slice(1), left) ||
    isSlipOf(a.slice(1), b, left) ||
    isSlipOf(a, b.slice(1), left)
  );
}

/** The candidate that differs from the name by a typing mistake, by capitals or by the way in which its parts are joined. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainForm(name);
  // One slip in five letters: `mode` is no slip of `model`, and `persists` is one of `persist`.
  const allowed = Math.min(3, Math.ceil(plain.length / 5));
  let [nearest, fewest]: [string | undefined, number] = [undefined, allowed + 1];
  for (const candidate of candidates) {
    const slips = slipsBetween(plain, plainForm(candidate));
    if (slips < fewest) [nearest, fewest] = [candidate, slips];
  }
  return nearest;
}

/** The letters and digits of a name in lower case, as far as anybody reads it. */
export const plainForm = (name: string): string =>
  name
    .slice(0, 60)
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();

/** How many letters must be put in, left out, exchanged or swapped to turn one word into the other. */
export function slipsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchanged = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(exchanged, at(i - 1, j) + 1, at(i, j - 1) + 1, isSwapped ? at(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return at(from.length, to.length);
}

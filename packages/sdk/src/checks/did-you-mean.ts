import { inside } from './refusing.ts';

/** Where something is that goes by another name: in the official package, on the wire, or in a first guess. */
export type Elsewhere = Readonly<Record<string, string>>;

interface Known {
  readonly names: readonly string[];
  readonly place: string;
  readonly elsewhere?: Elsewhere;
  /** What to say of a name that resembles none. */
  readonly otherwise?: string;
}

/** Long lists help nobody. */
const mostListed = 12;

/** What to write instead of a name that is not known. */
export function didYouMean(name: string, { names, place, elsewhere = {}, otherwise }: Known): string {
  if (Object.hasOwn(elsewhere, name)) return `Did you mean \`${elsewhere[name]}\`?`;
  const near = nearest(name, names);
  if (near !== undefined) return `Did you mean \`${inside(place, near)}\`?`;
  return otherwise ?? (names.length > mostListed ? 'Leave it out.' : `What may stand here: ${names.join(', ')}.`);
}

/** The candidate that a slip of the pen, another case or another way of joining words would turn into the name. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainForm(name);
  // One slip in five letters: `mode` is no slip of `model`, and `persists` is one of `persist`.
  const allowed = Math.min(3, Math.ceil(plain.length / 5));
  const ranked = candidates
    .map((candidate) => ({ candidate, slips: distance(plain, plainForm(candidate)) }))
    .filter(({ slips }) => slips <= allowed)
    .toSorted((one, other) => one.slips - other.slips);
  return ranked[0]?.candidate;
}

const plainForm = (name: string): string =>
  name
    .slice(0, 60)
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();

/** How many letters must be put in, left out, exchanged or swapped to turn one word into the other. */
function distance(from: string, to: string): number {
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

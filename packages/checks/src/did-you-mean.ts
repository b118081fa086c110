import { nearestName } from './misspelt-names.ts';
import { inside } from './refusing.ts';

/** Where something is that goes by another name: in the official package, on the wire, or in a first guess. */
export type Elsewhere = Readonly<Record<string, string>>;

interface Known {
  readonly names: readonly string[];
  readonly place: string;
  readonly elsewhere?: Elsewhere;
  /** The hint for a name that resembles none. */
  readonly otherwise?: string;
}

/** Longer lists are of no help. */
const mostListed = 12;

/** What to write instead of an unknown name. */
export function didYouMean(name: string, { names, place, elsewhere = {}, otherwise }: Known): string {
  if (Object.hasOwn(elsewhere, name)) return `Did you mean \`${elsewhere[name]}\`?`;
  const near = nearestName(name, names);
  if (near !== undefined) return `Did you mean \`${inside(place, near)}\`?`;
  return otherwise ?? (names.length > mostListed ? 'Leave it out.' : `What may stand here: ${names.join(', ')}.`);
}

import type { Tape } from './read-tape.ts';
import type { TapeEntry } from './tape-entry.ts';

/** The entries of each agent of a tape. */
export function entriesByAgent({ entries }: Tape): readonly (readonly TapeEntry[])[] {
  const agents = new Map<number, TapeEntry[]>();
  for (const entry of entries) {
    const known = agents.get(entry.agent);
    if (known === undefined) agents.set(entry.agent, [entry]);
    else known.push(entry);
  }
  return [...agents.values()];
}

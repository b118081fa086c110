/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  below(limit: number): number;
  one<T>(values: readonly T[]): T;
  some<T>(values: readonly T[], most: number): readonly T[];
}

export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  return { next, below, one, some: (values, most) => Array.from({ length: below(most + 1) }, () => one(values)) };
}

import { seededRandom } from '@hexagent/testing';

/** Random choices, the same ones for the same seed. */
export interface RandomChoices {
  /** From 0 to below 1. */
  next(): number;
  below(limit: number): number;
  one<T>(values: readonly T[]): T;
  some<T>(values: readonly T[], most: number): readonly T[];
}

export function randomChoices(seed: number): RandomChoices {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  return { next, below, one, some: (values, most) => Array.from({ length: below(most + 1) }, () => one(values)) };
}

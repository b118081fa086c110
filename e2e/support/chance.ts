/** Chance that can be repeated: the same seed makes the same choices (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** `true` in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  oneOf<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  }

  /** `usual` in most cases, and in so many of a hundred one of the others. */
  rarely<T>(share: number, usual: T, others: readonly T[]): T {
    return this.percent(share) ? this.oneOf(others) : usual;
  }

  /** So many values, at least `least` and at most `most`. */
  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}

/** When an agent that ended by itself is started again. */
export interface CrashOptions {
  /** The delay after the first crash, in milliseconds; it doubles with each that follows. Default 500. */
  readonly firstDelayMs?: number | undefined;
  /** The longest delay. Default 30 000. */
  readonly longestDelayMs?: number | undefined;
  /** After so many crashes without a finished turn in between, the agent is not started any more. Default 5. */
  readonly maxCrashes?: number | undefined;
}

/** Counts the crashes of one session, and returns the delay after each. */
export class CrashPolicy {
  readonly #options: Required<{ readonly [Name in keyof CrashOptions]: number }>;
  readonly #random: () => number;
  #crashes = 0;

  constructor(options: CrashOptions, random: () => number) {
    const { firstDelayMs = 500, longestDelayMs = 30_000, maxCrashes = 5 } = options;
    this.#options = { firstDelayMs, longestDelayMs, maxCrashes };
    this.#random = random;
  }

  /** Whether there were too many crashes in a row. */
  get isBroken(): boolean {
    return this.#crashes >= this.#options.maxCrashes;
  }

  /** Counts one, and returns the delay before the next start. */
  crashed(): number {
    const { firstDelayMs, longestDelayMs } = this.#options;
    const delay = Math.min(firstDelayMs * 2 ** this.#crashes, longestDelayMs);
    this.#crashes += 1;
    // Between half of it and all of it, so that sessions which crashed together do not start together.
    return delay * (0.5 + this.#random() / 2);
  }

  /** Called when a turn was finished, or another attempt was requested. */
  reset(): void {
    this.#crashes = 0;
  }
}

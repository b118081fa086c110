import { SdkError } from '@hexagent/ports';

/** The outcome of a change that was written under an older lease than an earlier change. */
export interface LeaseLost {
  readonly kind: 'lost';
  readonly highest: number;
}

/** The highest fence of each session. */
export class Fences {
  readonly #highest = new Map<string, number>();

  /** `undefined` when it passes. */
  pass(session: string, fence: number): LeaseLost | undefined {
    const highest = this.#highest.get(session) ?? 0;
    if (fence < highest) return { kind: 'lost', highest };
    this.#highest.set(session, fence);
    return undefined;
  }

  of(session: string): number {
    return this.#highest.get(session) ?? 0;
  }

  all(): Iterable<readonly [string, number]> {
    return this.#highest;
  }

  clear(): void {
    this.#highest.clear();
  }
}

export function leaseLost(session: string, fence: number | undefined, { highest }: LeaseLost): SdkError {
  return new SdkError(
    'LEASE_LOST',
    `The session ${session} is driven under lease ${highest}; this was lease ${fence}.`,
  );
}

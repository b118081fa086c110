import { SdkError } from '@hexagent/ports';

/** The highest fence under which each session was written. */
export class Fences {
  readonly #highest = new Map<string, number>();

  /** @throws {SdkError} `LEASE_LOST` for a fence below one that was passed before. */
  pass(session: string, fence: number): void {
    const highest = this.#highest.get(session) ?? 0;
    if (fence < highest)
      throw new SdkError(
        'LEASE_LOST',
        `The session ${session} is driven under lease ${highest}; this was lease ${fence}.`,
      );
    this.#highest.set(session, fence);
  }
}

import { errorText, SdkError, type Clock } from '@hexagent/ports';
import { CrashPolicy, type CrashOptions } from './crash-policy.ts';

export interface RecoveryParts {
  readonly id: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly crashes: CrashOptions;
  /** Called when the delay after a crash is over. */
  readonly due: () => void;
}

/** When a session whose agent crashed may have another one. */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #policy: CrashPolicy;
  #cancel: (() => void) | undefined;
  #lastError: unknown;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
    this.#policy = new CrashPolicy(parts.crashes, parts.random);
  }

  /** Whether there were too many crashes in a row. */
  get isBroken(): boolean {
    return this.#policy.isBroken;
  }

  /** Whether the delay after a crash is not over. */
  get isWaiting(): boolean {
    return this.#cancel !== undefined;
  }

  /** Counts a crash, and begins the delay that follows. Returns it. `restarts`: something is to be done when it is over. */
  crashed(error: unknown, restarts: () => boolean): { readonly delay: number; readonly restarts: boolean } {
    this.#lastError = error;
    const delay = this.#policy.crashed();
    const keepsAlive = !this.isBroken && restarts();
    // What is sent meanwhile waits for that long, too.
    this.#cancel = this.#parts.clock.after(
      delay,
      () => {
        this.#cancel = undefined;
        this.#parts.due();
      },
      { keepsAlive },
    );
    return { delay, restarts: keepsAlive };
  }

  /** A turn was finished. */
  finished(): void {
    this.#policy.reset();
  }

  /** Ends the delay and resets the count, since another attempt was requested. */
  retry(): void {
    this.#policy.reset();
    this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** @throws {SdkError} `SESSION_CRASHING` after too many crashes. */
  refuseBroken(): void {
    if (!this.isBroken) return;
    const cause = this.#lastError;
    throw new SdkError(
      'SESSION_CRASHING',
      `The agent of the session ${this.#parts.id} ended again and again, and is not started any more. It last ended with: ${errorText(cause)}`,
      { cause },
    );
  }
}

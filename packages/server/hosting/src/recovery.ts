import { errorText } from '@hexagent/checks';
import { SdkError, type Clock } from '@hexagent/ports';
import { CrashPolicy, type CrashOptions } from './crash-policy.ts';

export interface RecoveryParts {
  readonly id: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly crashes: CrashOptions;
  /** Called when the delay after a crash is over. */
  readonly due: () => void;
}

interface Crash {
  /** Its reason. */
  readonly error: unknown;
  readonly delay: number;
  readonly restarts: boolean;
}

/** When a session whose agent crashed may have another one. */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #policy: CrashPolicy;
  #cancel: (() => void) | undefined;
  #lastError: unknown;
  /** Why the agent is being ended, where that is not its own doing. */
  #explanation: unknown;

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

  /** The crash that follows has this reason, rather than the exit of the agent. */
  explain(error: unknown): void {
    this.#explanation ??= error;
  }

  /** Counts a crash, and begins the delay that follows. `restarts`: something is to be done when it is over. */
  crashed(exit: unknown, restarts: () => boolean): Crash {
    const error = this.#explanation ?? exit;
    this.#explanation = undefined;
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
    return { error, delay, restarts: keepsAlive };
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

import { SdkError, type Clock, type Lease } from '@hexagent/ports';
import type { LeaseKeeper } from './lease-keeper.ts';

interface SessionLeaseParts {
  readonly id: string;
  readonly leases: LeaseKeeper;
  readonly clock: Clock;
}

/** The lease of one session: taken, and given back. */
export class SessionLease {
  readonly #parts: SessionLeaseParts;
  #lease: Lease | undefined;
  #takenAt = 0;
  #lastFence = 0;
  #isReturning = false;

  constructor(parts: SessionLeaseParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#lease !== undefined;
  }

  /** Whether it is held, and its time is not over: if that has just been found, the loss was reported. */
  get isLiving(): boolean {
    return this.#lease !== undefined && this.#parts.leases.holds(this.#lease);
  }

  /** Whether there is none, not even one that is being given back. */
  get isReturned(): boolean {
    return !this.isHeld && !this.#isReturning;
  }

  /** @throws {SdkError} `LEASE_LOST` where it is not held. */
  get fence(): number {
    if (this.#lease !== undefined && this.isLiving) return this.#lease.fence;
    throw new SdkError('LEASE_LOST', `The session ${this.#parts.id} is not driven here any more.`);
  }

  /** Of the lease that is held, or was last. */
  get lastFence(): number {
    return this.#lastFence;
  }

  /** @throws {SdkError} `SESSION_HELD` where another process has it. */
  async acquire(): Promise<void> {
    const { leases, clock, id } = this.#parts;
    if (this.isHeld) return;
    await leases.acquire(id, (lease) => {
      this.#lease = lease;
      this.#lastFence = lease.fence;
      this.#takenAt = clock.now();
    });
  }

  /** Resolves once the previous owner's agent has had time to exit: until then two agents could run one session. */
  settled(graceMs: number): Promise<void> {
    const { clock } = this.#parts;
    const left = this.#lease?.isTakenOver === true ? this.#takenAt + graceMs - clock.now() : 0;
    if (left <= 0) return Promise.resolve();
    return new Promise((resolve) => void clock.after(left, resolve, { keepsAlive: true }));
  }

  /** Gives it back after what is still `written` under it. */
  async giveBack(written: Promise<void>): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    this.#lease = undefined;
    this.#isReturning = true;
    await this.#parts.leases.release(lease, written);
    this.#isReturning = false;
  }
}

import { SdkError, type Clock, type Lease, type LeaseStore } from '@hexagent/ports';
import { LeaseKeeper } from './lease-keeper.ts';

const returnAgainMs = 5000;

interface SessionLeaseParts {
  readonly id: string;
  readonly owner: string;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly onLost: () => void;
  /** Called when it was given back after all. */
  readonly rested: () => void;
}

/** The lease of one session: taken, kept, and given back. */
export class SessionLease {
  readonly #parts: SessionLeaseParts;
  #keeper: LeaseKeeper | undefined;
  /** A lease that is being given back. Until that has succeeded, this process would be refused as if it were another one. */
  #unreturned: Lease | undefined;
  #lastFence = 0;

  constructor(parts: SessionLeaseParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#keeper !== undefined;
  }

  /** Whether there is none, not even one that is still to be given back. */
  get isReturned(): boolean {
    return !this.isHeld && this.#unreturned === undefined;
  }

  /** @throws {SdkError} `LEASE_LOST` where it is not held. */
  get fence(): number {
    if (this.#keeper !== undefined) return this.#keeper.fence;
    throw new SdkError('LEASE_LOST', `The session ${this.#parts.id} is not driven here any more.`);
  }

  /** Of the lease that is held, or was last. */
  get lastFence(): number {
    return this.#lastFence;
  }

  /** @throws {SdkError} `SESSION_HELD` where another process has it. */
  async acquire(): Promise<void> {
    const { leases, owner, clock, id, onLost } = this.#parts;
    if (this.isHeld) return;
    await this.#return();
    const answer = await leases.acquire(id, { owner });
    if (answer.kind === 'held')
      throw new SdkError('SESSION_HELD', `The session ${id} is driven by another process: ${answer.owner}.`);
    this.#keeper = new LeaseKeeper({ store: leases, lease: answer.lease, clock, onLost });
    this.#lastFence = answer.lease.fence;
  }

  /** Resolves once the previous owner's agent has had time to exit: until then two agents could run one session. */
  async settled(graceMs: number): Promise<void> {
    await this.#keeper?.settled(graceMs);
  }

  /** Ends keeping it, and gives it back after what is still `written` under it. */
  async giveBack(written: Promise<void>): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = undefined;
    if (keeper === undefined) return;
    this.#unreturned = keeper.stop();
    await written;
    await this.#return().catch(() => this.#returnLater());
  }

  async #return(): Promise<void> {
    const lease = this.#unreturned;
    if (lease === undefined) return;
    await this.#parts.leases.release(lease);
    if (this.#unreturned === lease) this.#unreturned = undefined;
  }

  /** Otherwise no other process could drive the session for as long as this one lives. */
  #returnLater(): void {
    const { clock, rested } = this.#parts;
    clock.after(returnAgainMs, () => void this.#return().then(rested, () => this.#returnLater()));
  }
}

import type { Clock, Lease, LeaseStore } from '@hexagent/ports';

export interface LeaseKeeperOptions {
  readonly store: LeaseStore;
  readonly lease: Lease;
  readonly clock: Clock;
  /** Called once, when the lease is lost or may be. */
  readonly onLost: () => void;
}

/** Keeps a lease for as long as its session is driven here. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #takenAt: number;
  #renewedAt: number;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#takenAt = options.clock.now();
    this.#renewedAt = this.#takenAt;
    this.#renewLater();
  }

  get fence(): number {
    return this.#options.lease.fence;
  }

  /** Resolves once the previous owner's agent has had time to exit: until then two agents could run one session. */
  settled(graceMs: number): Promise<void> {
    const { lease, clock } = this.#options;
    const left = lease.isTakenOver ? this.#takenAt + graceMs - clock.now() : 0;
    if (left <= 0) return Promise.resolve();
    return new Promise((resolve) => void clock.after(left, resolve, { keepsAlive: true }));
  }

  /** Ends the keeping, and returns the lease, to be given back. */
  stop(): Lease {
    this.#end();
    return this.#options.lease;
  }

  #renewLater(): void {
    const { lease, clock } = this.#options;
    if (lease.renewWithinMs === undefined || this.#isOver) return;
    this.#cancel = clock.after(lease.renewWithinMs / 4, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { store, lease, clock } = this.#options;
    const askedAt = clock.now();
    // A store that does not answer must not keep this one driving beyond its time.
    const { renewWithinMs = Infinity } = lease;
    const overdue = clock.after(Math.max(0, this.#renewedAt + renewWithinMs / 2 - askedAt), () => this.#lose());
    const answer = await store.renew(lease).catch(() => 'unknown' as const);
    overdue();
    if (this.#isOver) return;
    if (answer === 'lost') return this.#lose();
    if (answer === 'kept') this.#renewedAt = askedAt;
    else if (clock.now() - this.#renewedAt >= renewWithinMs / 2) return this.#lose();
    this.#renewLater();
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onLost();
  }

  #end(): void {
    this.#isOver = true;
    this.#cancel();
  }
}

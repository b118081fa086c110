import type { Clock, Lease, LeaseAnswer, LeaseStore } from '@hexagent/ports';

interface Held {
  readonly lease: Lease;
  /** By the clock; `undefined` for a lease that needs no renewal. */
  readonly until: number | undefined;
}

/**
 * Leases among the hosts of one process. Without `renewWithinMs` they hold until they are given back, since every holder that could
 * lose one ends with the store.
 */
export class MemoryLeases implements LeaseStore {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #renewWithinMs: number | undefined;
  readonly #held = new Map<string, Held>();
  readonly #fences = new Map<string, number>();

  constructor({
    clock = Date,
    renewWithinMs,
  }: { readonly clock?: Pick<Clock, 'now'> | undefined; readonly renewWithinMs?: number | undefined } = {}) {
    this.#clock = clock;
    this.#renewWithinMs = renewWithinMs;
  }

  async acquire(session: string, { owner }: { readonly owner: string }): Promise<LeaseAnswer> {
    const before = this.#held.get(session);
    if (before !== undefined && this.#isHeld(before)) return { kind: 'held', owner: before.lease.owner };
    const fence = (this.#fences.get(session) ?? 0) + 1;
    this.#fences.set(session, fence);
    const lease = { session, owner, fence, isTakenOver: before !== undefined, renewWithinMs: this.#renewWithinMs };
    this.#hold(lease);
    return { kind: 'acquired', lease };
  }

  async renew(lease: Lease): Promise<'kept' | 'lost'> {
    const held = this.#held.get(lease.session);
    if (held?.lease.fence !== lease.fence || !this.#isHeld(held)) return 'lost';
    this.#hold(lease);
    return 'kept';
  }

  async release({ session, fence }: Lease): Promise<void> {
    if (this.#held.get(session)?.lease.fence === fence) this.#held.delete(session);
  }

  #isHeld({ until }: Held): boolean {
    return until === undefined || this.#clock.now() < until;
  }

  #hold(lease: Lease): void {
    const { renewWithinMs } = lease;
    const until = renewWithinMs === undefined ? undefined : this.#clock.now() + renewWithinMs;
    this.#held.set(lease.session, { lease, until });
  }
}

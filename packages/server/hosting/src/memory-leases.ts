import { SdkError, type Clock, type Lease, type LeaseAnswer, type LeaseStore } from '@hexagent/ports';
import type { Membership, Worker, WorkerState } from '@hexagent/ports';

interface Joined {
  readonly worker: Worker;
  readonly isDraining: boolean;
  /** By the clock. */
  readonly until: number;
}

/**
 * Leases among the hosts of one process. Without `renewWithinMs` they hold until they are given back, since every holder that could
 * lose one ends with the store.
 */
export class MemoryLeases implements LeaseStore {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #renewWithinMs: number | undefined;
  readonly #workers = new Map<string, Joined>();
  readonly #held = new Map<string, Lease>();
  readonly #fences = new Map<string, number>();

  constructor({
    clock = Date,
    renewWithinMs,
  }: { readonly clock?: Pick<Clock, 'now'> | undefined; readonly renewWithinMs?: number | undefined } = {}) {
    this.#clock = clock;
    this.#renewWithinMs = renewWithinMs;
  }

  async join({ owner, address, capacity }: Worker): Promise<Membership> {
    const worker = { owner, address, capacity };
    this.#workers.set(owner, { worker, isDraining: false, until: this.#until() });
    return { ...worker, renewWithinMs: this.#renewWithinMs };
  }

  async keep({ owner }: Membership): Promise<ReadonlyMap<string, number> | 'lost'> {
    const joined = this.#living(owner);
    if (joined === undefined) return 'lost';
    this.#workers.set(owner, { ...joined, until: this.#until() });
    return new Map(this.#heldBy(owner).map(({ session, fence }) => [session, fence]));
  }

  async drain({ owner }: Membership): Promise<void> {
    const joined = this.#living(owner);
    if (joined !== undefined) this.#workers.set(owner, { ...joined, isDraining: true });
  }

  async leave({ owner }: Membership): Promise<void> {
    this.#workers.delete(owner);
    for (const lease of this.#heldBy(owner)) this.#held.delete(lease.session);
  }

  async workers(): Promise<readonly WorkerState[]> {
    const living = [...this.#workers.keys()].flatMap((owner) => this.#living(owner) ?? []);
    return living.map(({ worker, isDraining }) => ({
      ...worker,
      isDraining,
      leases: this.#heldBy(worker.owner).length,
    }));
  }

  async acquire(session: string, { owner }: Membership): Promise<LeaseAnswer> {
    if (this.#living(owner) === undefined)
      throw new SdkError('LEASE_LOST', `The worker ${owner} has left, or is lost.`);
    const before = this.#held.get(session);
    if (before !== undefined && before.owner !== owner && this.#living(before.owner) !== undefined)
      return { kind: 'held', owner: before.owner };
    const fence = Math.max((this.#fences.get(session) ?? 0) + 1, Date.now());
    this.#fences.set(session, fence);
    const lease = { session, owner, fence, isTakenOver: before !== undefined };
    this.#held.set(session, lease);
    return { kind: 'acquired', lease };
  }

  async release({ session, fence }: Lease): Promise<void> {
    if (this.#held.get(session)?.fence === fence) this.#held.delete(session);
  }

  async where(session: string): Promise<Worker | undefined> {
    const held = this.#held.get(session);
    return held && this.#living(held.owner)?.worker;
  }

  #until(): number {
    return this.#clock.now() + (this.#renewWithinMs ?? Infinity);
  }

  #living(owner: string): Joined | undefined {
    const joined = this.#workers.get(owner);
    return joined !== undefined && this.#clock.now() < joined.until ? joined : undefined;
  }

  #heldBy(owner: string): readonly Lease[] {
    return [...this.#held.values()].filter((lease) => lease.owner === owner);
  }
}

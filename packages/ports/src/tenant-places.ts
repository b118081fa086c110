import type { Membership } from './lease-store.ts';

/** How many agents a tenant has at once, in all processes that share the store. */
export interface TenantPlaces {
  /**
   * Takes one of the `most` places that a tenant has; `undefined` when all are taken. A place is held until it is given back, or its
   * worker has left or is lost. Rejects with `LEASE_LOST` for such a worker.
   */
  take(tenant: string, most: number, member: Membership): Promise<TenantPlace | undefined>;
  /** Gives a place back; one that another worker has by now stays. Safe to call twice. */
  give(place: TenantPlace): Promise<void>;
}

export interface TenantPlace {
  readonly tenant: string;
  /** From 1 on. */
  readonly number: number;
  /** The worker that has it. */
  readonly owner: string;
}

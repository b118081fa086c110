import { SdkError, type LeaseStore, type Membership, type TenantPlace, type TenantPlaces } from '@hexagent/ports';

/** Places of tenants among the hosts of one process. */
export class MemoryPlaces implements TenantPlaces {
  readonly #leases: Pick<LeaseStore, 'workers'>;
  readonly #taken = new Map<string, Map<number, string>>();

  constructor({ leases }: { readonly leases: Pick<LeaseStore, 'workers'> }) {
    this.#leases = leases;
  }

  async take(tenant: string, most: number, { owner }: Membership): Promise<TenantPlace | undefined> {
    const living = new Set((await this.#leases.workers()).map((worker) => worker.owner));
    if (!living.has(owner)) throw new SdkError('LEASE_LOST', `The worker ${owner} has left, or is lost.`);
    const taken = this.#taken.get(tenant) ?? new Map<number, string>();
    this.#taken.set(tenant, taken);
    for (let number = 1; number <= most; number += 1) {
      const holder = taken.get(number);
      if (holder !== undefined && living.has(holder)) continue;
      taken.set(number, owner);
      return { tenant, number, owner };
    }
    return undefined;
  }

  async give({ tenant, number, owner }: TenantPlace): Promise<void> {
    const taken = this.#taken.get(tenant);
    if (taken?.get(number) === owner) taken.delete(number);
    if (taken?.size === 0) this.#taken.delete(tenant);
  }
}

import type { Clock, SessionSignals, TenantPlace, TenantPlaces } from '@hexagent/ports';
import type { LeaseKeeper } from './lease-keeper.ts';

const againMs = 1000;

interface TenantGateParts {
  readonly places: TenantPlaces;
  readonly leases: Pick<LeaseKeeper, 'asMember'>;
  /** How many agents a tenant may have in all processes. */
  readonly most: number;
  readonly signals: SessionSignals | undefined;
  readonly clock: Clock;
  /** A session of the tenant that waits for a place here. */
  readonly waiting: (tenant: string) => string | undefined;
}

/** Gives back what was taken. Resolves when another process can have it. */
export type GiveBack = () => Promise<void>;

/** Takes the places of tenants that count in all processes. */
export class TenantGate {
  readonly #parts: TenantGateParts;

  constructor(parts: TenantGateParts) {
    this.#parts = parts;
  }

  /** `undefined` where the tenant has no place left. Other processes are asked to end an idle agent of the tenant then. */
  async take(tenant: string): Promise<GiveBack | undefined> {
    const { places, leases, most, signals, waiting } = this.#parts;
    const place = await leases.asMember((member) => places.take(tenant, most, member));
    if (place !== undefined) return () => this.#give(place);
    const session = waiting(tenant);
    if (session !== undefined) signals?.send({ session, kind: 'crowded' });
    return undefined;
  }

  /** Calls back when it is worth a try again. */
  later(again: () => void): void {
    this.#parts.clock.after(againMs, again);
  }

  async #give(place: TenantPlace): Promise<void> {
    for (;;) {
      try {
        return await this.#parts.places.give(place);
      } catch {
        // The tenant would have one place less for as long as this process lives.
        await new Promise<void>((resolve) => this.later(resolve));
      }
    }
  }
}

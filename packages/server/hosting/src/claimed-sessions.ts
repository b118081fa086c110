import type { Clock, OutboxStore } from '@hexagent/ports';
import type { SessionHostOptions } from './host-options.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

interface ClaimingParts extends Pick<SessionHostOptions, 'claims'> {
  readonly outbox: Pick<OutboxStore, 'claimable'>;
  readonly leases: Pick<LeaseKeeper, 'join'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The sessions that are driven here. */
  readonly driven: () => readonly string[];
}

/** With `isWhole`, nothing is left out that was found a moment ago. */
export type ClaimedSessions = (options?: { readonly isWhole: boolean }) => Promise<readonly string[]>;

/** How often what is driven here is found again: each of these is read then, for messages that no signal reported. */
const drivenMs = 2000;

/** Finds the sessions with something pending that this host drives, or is to take up. A host that was lost joins again here. */
export function claimedSessions({ outbox, leases, clock, claims, driven }: ClaimingParts): ClaimedSessions {
  let drivenAt = -Infinity;
  return async ({ isWhole } = { isWhole: false }) => {
    const owner = await leases.join();
    const pending: string[] = [];
    for await (const id of outbox.claimable(owner)) pending.push(id);
    if (claims === undefined) return pending;
    const own = new Set(driven());
    const claimed = await claims(
      pending.filter((id) => !own.has(id)),
      owner,
    );
    if (!isWhole && clock.now() - drivenAt < drivenMs) return claimed;
    drivenAt = clock.now();
    return [...pending.filter((id) => own.has(id)), ...claimed];
  };
}

import type { OutboxStore } from '@hexagent/ports';
import type { SessionHostOptions } from './host-options.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

interface ClaimingParts extends Pick<SessionHostOptions, 'claims'> {
  readonly outbox: Pick<OutboxStore, 'claimable'>;
  readonly leases: Pick<LeaseKeeper, 'join'>;
  /** The sessions that are driven here. */
  readonly driven: () => readonly string[];
}

/** The sessions with something pending that this host drives, or is to take up. A host that was lost joins again here. */
export async function claimedSessions({ outbox, leases, claims, driven }: ClaimingParts): Promise<readonly string[]> {
  const owner = await leases.join();
  const pending: string[] = [];
  for await (const id of outbox.claimable(owner)) pending.push(id);
  if (claims === undefined) return pending;
  const own = new Set(driven());
  const claimed = await claims(
    pending.filter((id) => !own.has(id)),
    owner,
  );
  return [...pending.filter((id) => own.has(id)), ...claimed];
}

import type { Clock, LeaseStore, SessionDirectory, WorkerState } from '@hexagent/ports';
import { place as placeByLoad, type PlacedSession, type Placement } from './place.ts';

export interface ClaimsOptions {
  readonly leases: Pick<LeaseStore, 'workers'>;
  readonly directory: Pick<SessionDirectory, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Default: `place`. */
  readonly place?: Placement | undefined;
  /** After how long a session is left over, and any worker takes it that takes sessions: that of a sweep. Default 2000. */
  readonly leftAfterMs?: number | undefined;
}

/** Which of the sessions that no worker drives are for this worker: the option `claims` of a host. */
export type Claims = (sessions: readonly string[], owner: string) => Promise<readonly string[]>;

interface Seen {
  readonly session: PlacedSession;
  /** When it was first found without a worker, by the clock. */
  readonly since: number;
}

/**
 * Each worker places all the sessions in their order, with what it places counted on, finds the same as the others, and takes what falls
 * to itself. So what a worker leaves is shared. What is left over, as where the chosen worker fails, is for the first that finds it.
 */
export function createClaims(options: ClaimsOptions): Claims {
  const { leases, directory, clock, place = placeByLoad, leftAfterMs = 2000 } = options;
  let seen: ReadonlyMap<string, Seen> = new Map();
  return async (sessions, owner) => {
    const now = clock.now();
    // A record is read once for as long as its session waits: each worker finds thousands of them in each sweep.
    seen = await readSeen(sessions, { directory, before: seen, now });
    if (sessions.length === 0) return [];
    const workers = await leases.workers();
    if (!workers.some((worker) => worker.owner === owner && !worker.isDraining)) return [];
    const placed = placeAll([...seen.values()], workers, place);
    return sessions.filter((id) => placed.get(id) === owner || now - (seen.get(id)?.since ?? now) >= leftAfterMs);
  };
}

async function readSeen(
  ids: readonly string[],
  { directory, before, now }: Pick<ClaimsOptions, 'directory'> & { before: ReadonlyMap<string, Seen>; now: number },
): Promise<ReadonlyMap<string, Seen>> {
  const unread = ids.filter((id) => !before.has(id));
  const read = unread.length === 0 ? [] : await directory.list({ ids: unread });
  const records = new Map(read.map((record) => [record.id, record]));
  return new Map(
    ids.map((id) => {
      const { tenant, address } = records.get(id) ?? {};
      return [id, before.get(id) ?? { session: { id, tenant, address }, since: now }];
    }),
  );
}

/** The owner to whom each of the sessions falls. */
function placeAll(
  sessions: readonly Seen[],
  workers: readonly WorkerState[],
  place: Placement,
): ReadonlyMap<string, string> {
  const states = [...workers];
  const placed = new Map<string, string>();
  for (const { session } of sessions) {
    const owner = place(session, states)?.owner;
    const index = states.findIndex((worker) => worker.owner === owner);
    const worker = states[index];
    if (worker === undefined) continue;
    states[index] = { ...worker, leases: worker.leases + 1 };
    placed.set(session.id, worker.owner);
  }
  return placed;
}

import { isRecord } from '@hexagent/checks';
import type { Worker } from '@hexagent/ports';
import type { Fold } from './fold.ts';
import { isHolder, type Holder } from './holder.ts';

/** A worker has its leases for as long as its process runs. */
interface StoredWorker extends Worker {
  readonly holder: Holder;
  readonly isDraining?: boolean | undefined;
}

interface StoredLease {
  /** The highest that was given; 0 before the first. */
  readonly fence: number;
  /** The worker that has it, also one whose process has exited. */
  readonly owner?: string | undefined;
}

export type LeaseChange =
  | ({ readonly t: 'join' } & StoredWorker)
  | { readonly t: 'drain' | 'leave'; readonly owner: string }
  /** Takes the lease, if `after` is its last fence. Written only after the previous lease was found to have ended. */
  | {
      readonly t: 'take';
      readonly session: string;
      readonly fence: number;
      readonly owner: string;
      /** Earlier versions left it out, and took the next number. */
      readonly after?: number;
      /** Written by earlier versions, whose workers did not join. */
      readonly holder?: Holder;
    }
  | { readonly t: 'release'; readonly session: string; readonly fence: number }
  /** A session as it is when the lines before are replaced; `held` was written by earlier versions. */
  | ({
      readonly t: 'session';
      readonly session: string;
      readonly held?: { readonly owner: string; readonly holder: Holder };
    } & StoredLease);

/** The state that the lines about leases add up to. */
export class LeaseFold implements Fold<LeaseChange, boolean> {
  readonly workers: Map<string, StoredWorker> = new Map();
  readonly #sessions = new Map<string, StoredLease>();

  of(session: string): StoredLease {
    return this.#sessions.get(session) ?? { fence: 0 };
  }

  /** The sessions whose leases a worker has. */
  heldBy(owner: string): readonly string[] {
    return [...this.#sessions].flatMap(([session, lease]) => (lease.owner === owner ? [session] : []));
  }

  /** Returns whether the change was made. */
  apply(change: LeaseChange): boolean {
    // Read from a file: another version may have written something else, which must neither take nor release a lease.
    if (!isWhole(change)) return false;
    switch (change.t) {
      case 'join':
        return this.#join(change);
      case 'take':
        return this.#take(change);
      case 'session':
        return this.#restore(change);
      case 'release':
        return this.#release(change);
      case 'drain':
        return this.#drain(change.owner);
      default:
        return this.#leave(change.owner);
    }
  }

  reset(): void {
    this.workers.clear();
    this.#sessions.clear();
  }

  *snapshot(): Iterable<LeaseChange> {
    for (const worker of this.workers.values()) yield { t: 'join', ...worker };
    for (const [session, lease] of this.#sessions) yield { t: 'session', session, ...lease };
  }

  #join({ owner, address, capacity, holder, isDraining }: StoredWorker): boolean {
    this.workers.set(owner, { owner, address, capacity, holder, isDraining });
    return true;
  }

  #take(change: Extract<LeaseChange, { t: 'take' }>): boolean {
    const { session, fence, owner, after = fence - 1, holder } = change;
    if (after !== this.of(session).fence) return false;
    if (holder !== undefined) this.#join({ owner, holder });
    return this.#hold(session, { fence, owner });
  }

  #restore({ session, fence, held, owner = held?.owner }: Extract<LeaseChange, { t: 'session' }>): boolean {
    if (held !== undefined) this.#join(held);
    return this.#hold(session, { fence, owner });
  }

  #hold(session: string, lease: StoredLease): boolean {
    // Without its process, it could not be found out when the lease ends.
    if (lease.owner !== undefined && !this.workers.has(lease.owner)) return false;
    this.#sessions.set(session, lease);
    return true;
  }

  #release({ session, fence }: Extract<LeaseChange, { t: 'release' }>): boolean {
    if (this.of(session).fence !== fence) return false;
    this.#sessions.set(session, { fence });
    return true;
  }

  #drain(owner: string): boolean {
    const worker = this.workers.get(owner);
    if (worker !== undefined) this.workers.set(owner, { ...worker, isDraining: true });
    return worker !== undefined;
  }

  #leave(owner: string): boolean {
    for (const session of this.heldBy(owner)) this.#sessions.set(session, { fence: this.of(session).fence });
    return this.workers.delete(owner);
  }
}

function isWhole(change: LeaseChange): boolean {
  switch (change.t) {
    case 'join':
      return isWorker(change) && isHolder(change.holder);
    case 'drain':
    case 'leave':
      return isText(change.owner);
    case 'take': {
      const { owner, fence, after = 0, holder } = change;
      const isNext = Number.isSafeInteger(after) && after < fence;
      return isOfSession(change) && isText(owner) && isNext && (holder === undefined || isHolder(holder));
    }
    case 'session': {
      const { owner, held } = change;
      return isOfSession(change) && (owner === undefined || isText(owner)) && (held === undefined || isHeld(held));
    }
    default:
      return change.t === 'release' && isOfSession(change);
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';

const isWorker = ({ owner, address = '', capacity = 0 }: Worker): boolean =>
  isText(owner) && isText(address) && Number.isSafeInteger(capacity);

const isOfSession = ({ session, fence }: { readonly session: unknown; readonly fence: unknown }): boolean =>
  isText(session) && Number.isSafeInteger(fence);

const isHeld = (value: unknown): boolean => isRecord(value) && isText(value['owner']) && isHolder(value['holder']);

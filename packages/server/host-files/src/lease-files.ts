import { isRecord } from '@hexagent/checks';
import type { Lease, LeaseAnswer, LeaseStore } from '@hexagent/ports';
import type { FilesOptions } from './files-options.ts';
import type { Fold } from './fold.ts';
import { hasGone, isHolder, ownHolder, type Holder } from './holder.ts';
import { SharedJournal } from './shared-journal.ts';

export interface LeaseFilesOptions extends FilesOptions {
  /**
   * Called for a holder on another machine, since its processes cannot be checked from here. Default: none has exited, and
   * a person deletes the folder.
   */
  readonly isGone?: ((holder: Holder) => boolean | Promise<boolean>) | undefined;
}

interface Held {
  readonly fence: number;
  readonly owner: string;
  readonly holder: Holder;
}

type Change =
  /** Takes the lease, if its fence is the next one. Written only after the previous lease was found to have ended. */
  | ({ readonly t: 'take'; readonly session: string } & Held)
  | { readonly t: 'release'; readonly session: string; readonly fence: number }
  /** A session as it is when the lines before are replaced. */
  | { readonly t: 'session'; readonly session: string; readonly fence: number; readonly held?: Held };

class LeaseFold implements Fold<Change, boolean> {
  readonly #sessions = new Map<string, { readonly fence: number; readonly held: Held | undefined }>();

  of(session: string): { readonly fence: number; readonly held: Held | undefined } {
    return this.#sessions.get(session) ?? { fence: 0, held: undefined };
  }

  apply(change: Change): boolean {
    // Read from a file: another version may have written something else, which must neither take nor release a lease.
    if (!isWhole(change)) return false;
    const { session, fence } = change;
    const before = this.of(session);
    if (change.t === 'take') {
      if (fence !== before.fence + 1) return false;
      const { owner, holder } = change;
      this.#sessions.set(session, { fence, held: { fence, owner, holder } });
      return true;
    }
    if (change.t === 'release' && before.held?.fence !== fence) return false;
    this.#sessions.set(session, { fence, held: change.t === 'session' ? change.held : undefined });
    return true;
  }

  reset(): void {
    this.#sessions.clear();
  }

  *snapshot(): Iterable<Change> {
    for (const [session, { fence, held }] of this.#sessions)
      yield { t: 'session', session, fence, ...(held === undefined ? {} : { held }) };
  }
}

function isWhole(change: Change): boolean {
  if (typeof change.session !== 'string' || !Number.isSafeInteger(change.fence)) return false;
  if (change.t === 'take') return isHeld(change);
  if (change.t === 'session') return change.held === undefined || isHeld(change.held);
  return change.t === 'release';
}

const isHeld = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isSafeInteger(value['fence']) &&
  typeof value['owner'] === 'string' &&
  isHolder(value['holder']);

/**
 * Leases among the processes of one machine, in files: `leases/` in the folder. A lease holds for as long as its process
 * runs, and is free as soon as that exits, however it ends.
 */
export class LeaseFiles implements LeaseStore, AsyncDisposable {
  readonly #journal: SharedJournal<Change, boolean, LeaseFold>;
  readonly #isGone: NonNullable<LeaseFilesOptions['isGone']>;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ isGone = () => false, ...options }: LeaseFilesOptions) {
    this.#isGone = isGone;
    this.#journal = new SharedJournal({ ...options, name: 'leases', fold: new LeaseFold() });
  }

  async acquire(session: string, { owner }: { readonly owner: string }): Promise<LeaseAnswer> {
    const holder = await ownHolder();
    const leases = await this.#journal.refresh();
    for (;;) {
      const { fence: before, held } = leases.of(session);
      if (held !== undefined && !(await this.#hasGone(held.holder))) return { kind: 'held', owner: held.owner };
      const fence = before + 1;
      const isTaken = await this.#journal.append({ t: 'take', session, fence, owner, holder });
      // Otherwise another process was faster, and its lease is checked next.
      if (isTaken) {
        const lease = { session, owner, fence, isTakenOver: held !== undefined, renewWithinMs: undefined };
        return { kind: 'acquired', lease };
      }
    }
  }

  async renew({ session, fence }: Lease): Promise<'kept' | 'lost'> {
    return (await this.#journal.refresh()).of(session).held?.fence === fence ? 'kept' : 'lost';
  }

  async release({ session, fence }: Lease): Promise<void> {
    const leases = await this.#journal.refresh();
    if (leases.of(session).held?.fence === fence) await this.#journal.append({ t: 'release', session, fence });
  }

  /** Closes the file; what is held stays held. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #hasGone(holder: Holder): Promise<boolean> {
    return (await hasGone(holder)) || (await this.#isGone(holder));
  }
}

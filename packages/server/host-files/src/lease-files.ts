import { hostname } from 'node:os';
import { SdkError } from '@hexagent/ports';
import type { Lease, LeaseAnswer, LeaseStore, Membership, Worker, WorkerState } from '@hexagent/ports';
import type { FilesOptions } from './files-options.ts';
import { hasGone, ownHolder, type Holder } from './holder.ts';
import { LeaseFold, type LeaseChange } from './lease-fold.ts';
import { SharedJournal } from './shared-journal.ts';

export interface LeaseFilesOptions extends FilesOptions {
  /**
   * Called for a holder on another machine, since its processes cannot be checked from here. Default: none has exited, and
   * a person deletes the folder.
   */
  readonly isGone?: ((holder: Holder) => boolean | Promise<boolean>) | undefined;
}

/**
 * Leases among the processes of one machine, in files: `leases/` in the folder. A lease holds for as long as its process
 * runs, and is free as soon as that exits, however it ends.
 */
export class LeaseFiles implements LeaseStore, AsyncDisposable {
  readonly #journal: SharedJournal<LeaseChange, boolean, LeaseFold>;
  readonly #isGone: NonNullable<LeaseFilesOptions['isGone']>;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ isGone = () => false, ...options }: LeaseFilesOptions) {
    this.#isGone = isGone;
    this.#journal = new SharedJournal({ ...options, name: 'leases', fold: new LeaseFold() });
  }

  async join({ owner, address, capacity }: Worker): Promise<Membership> {
    const leases = await this.#journal.refresh();
    for (const earlier of [...leases.workers.keys()])
      if (leases.heldBy(earlier).length === 0 && !(await this.#isLiving(leases, earlier)))
        await this.#journal.append({ t: 'leave', owner: earlier });
    await this.#journal.append({ t: 'join', owner, address, capacity, holder: await ownHolder() });
    return { owner, address, capacity, renewWithinMs: undefined };
  }

  async keep({ owner }: Membership): Promise<ReadonlyMap<string, number> | 'lost'> {
    const leases = await this.#journal.refresh();
    if (!(await this.#isLiving(leases, owner))) return 'lost';
    return new Map(leases.heldBy(owner).map((session) => [session, leases.of(session).fence]));
  }

  async drain({ owner }: Membership): Promise<void> {
    await this.#journal.append({ t: 'drain', owner });
  }

  async leave({ owner }: Membership): Promise<void> {
    await this.#journal.append({ t: 'leave', owner });
  }

  async workers(): Promise<readonly WorkerState[]> {
    const leases = await this.#journal.refresh();
    const states = [...leases.workers.values()].map(async ({ owner, address, capacity, isDraining = false }) =>
      (await this.#isLiving(leases, owner))
        ? [{ owner, address, capacity, isDraining, leases: leases.heldBy(owner).length }]
        : [],
    );
    return (await Promise.all(states)).flat();
  }

  async acquire(session: string, { owner }: Membership): Promise<LeaseAnswer> {
    const leases = await this.#journal.refresh();
    for (;;) {
      if (!(await this.#isLiving(leases, owner)))
        throw new SdkError('LEASE_LOST', `The worker ${owner} has left, or has exited.`);
      const { fence: after, owner: before } = leases.of(session);
      if (before !== undefined && before !== owner && (await this.#isLiving(leases, before)))
        return { kind: 'held', owner: before };
      const fence = Math.max(after + 1, Date.now());
      // Otherwise another worker was faster, and its lease is checked next.
      if (await this.#journal.append({ t: 'take', session, fence, after, owner }))
        return { kind: 'acquired', lease: { session, owner, fence, isTakenOver: before !== undefined } };
    }
  }

  async release({ session, fence }: Lease): Promise<void> {
    const { fence: last, owner } = (await this.#journal.refresh()).of(session);
    if (owner !== undefined && last === fence) await this.#journal.append({ t: 'release', session, fence });
  }

  async where(session: string): Promise<Worker | undefined> {
    const leases = await this.#journal.refresh();
    const { owner } = leases.of(session);
    if (owner === undefined || !(await this.#isLiving(leases, owner))) return undefined;
    const { address, capacity } = leases.workers.get(owner) ?? {};
    return { owner, address, capacity };
  }

  /** Closes the file; what is held stays held. Safe to call twice. */
  async close(): Promise<void> {
    await this.#journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #isLiving(leases: LeaseFold, owner: string): Promise<boolean> {
    const holder = leases.workers.get(owner)?.holder;
    if (holder === undefined) return false;
    return !(holder.host === hostname() ? await hasGone(holder) : await this.#isGone(holder));
  }
}

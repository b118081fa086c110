import type { Clock, LeaseStore, WorkerState } from '@hexagent/ports';

const freshMs = 250;

/** The workers as all calls of a gateway see them: read now and then, since a store counts all leases of the fleet for it. */
export class KnownWorkers {
  readonly #leases: Pick<LeaseStore, 'workers'>;
  readonly #clock: Pick<Clock, 'now'>;
  #read: Promise<readonly WorkerState[]> | undefined;
  #readAt = 0;
  /** By owner: the chats that were placed since. */
  #placed = new Map<string, number>();

  constructor({ leases, clock }: { readonly leases: Pick<LeaseStore, 'workers'>; readonly clock: Pick<Clock, 'now'> }) {
    this.#leases = leases;
    this.#clock = clock;
  }

  read(): Promise<readonly WorkerState[]> {
    if (this.#clock.now() - this.#readAt >= freshMs) this.forget();
    return (this.#read ??= this.#begin());
  }

  /** With what was placed since they were read counted on: otherwise all calls of a moment would choose the same one. */
  counted(workers: readonly WorkerState[]): readonly WorkerState[] {
    return workers.map((worker) => ({ ...worker, leases: worker.leases + (this.#placed.get(worker.owner) ?? 0) }));
  }

  placed(owner: string): void {
    this.#placed.set(owner, (this.#placed.get(owner) ?? 0) + 1);
  }

  /** Has them read again: what a worker answered shows that they have changed. */
  forget(): void {
    this.#read = undefined;
  }

  #begin(): Promise<readonly WorkerState[]> {
    this.#readAt = this.#clock.now();
    this.#placed = new Map();
    const read = this.#leases.workers();
    read.catch(() => this.forget());
    return read;
  }
}

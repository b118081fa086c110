/**
 * The right to drive one session, which one process has at a time. It alone keeps two agents from writing one
 * transcript: the agent itself locks nothing. A process joins as a worker before it takes a lease, and keeps all its leases
 * with one call.
 */
export interface LeaseStore {
  /** Adds a worker. An owner joins once: a worker that was lost joins again under another one. */
  join(worker: Worker): Promise<Membership>;
  /**
   * Keeps the worker, and with it all its leases. Resolves with their fences by session: a store that lost its last writes may lack one,
   * and the agent of that session has to be ended. `lost`: other workers have all of them, or may have them; the previous holder must
   * stop its agents at once. Called at least three times within `renewWithinMs`, and never for a membership without that.
   */
  keep(member: Membership): Promise<ReadonlyMap<string, number> | 'lost'>;
  /** Marks the worker as one that takes no further sessions. It keeps what it has. */
  drain(member: Membership): Promise<void>;
  /** Releases all leases of the worker, and removes it. Safe to call twice. */
  leave(member: Membership): Promise<void>;
  /** The living workers, in any order. */
  workers(): Promise<readonly WorkerState[]>;
  /**
   * Asks for the lease. It is free when it is not held, when its holder has certainly exited, or when its holder was not
   * kept in time. The worker that has it gets it anew, under a higher fence: the answer before may have been lost on its way. Rejects
   * with `LEASE_LOST` for a worker that has left or is lost, and when the state of the lease cannot be read.
   */
  acquire(session: string, member: Membership): Promise<LeaseAnswer>;
  /** Releases the lease; one that is held by another stays. Safe to call twice. */
  release(lease: Lease): Promise<void>;
  /** The worker that has the lease, if it is living. */
  where(session: string): Promise<Worker | undefined>;
}

/** A process that drives sessions. */
export interface Worker {
  /** For a person to read, and different for each join. */
  readonly owner: string;
  /** Where other processes reach it. */
  readonly address?: string | undefined;
  /** How many agents it runs at once. Default: as many as it is given. */
  readonly capacity?: number | undefined;
}

export interface Membership extends Worker {
  /** How long the worker has its leases without `keep()`; `undefined` when it has them for as long as its process lives. */
  readonly renewWithinMs: number | undefined;
}

export interface WorkerState extends Worker {
  readonly isDraining: boolean;
  /** How many it holds. */
  readonly leases: number;
}

export type LeaseAnswer =
  | { readonly kind: 'acquired'; readonly lease: Lease }
  /** `owner` is for a person to read. */
  | { readonly kind: 'held'; readonly owner: string };

/** The right to drive a session, as long as it is not lost. */
export interface Lease {
  readonly session: string;
  readonly owner: string;
  /**
   * Higher than that of every lease of this session before, also after a restart: `max(before + 1, milliseconds since 1970)`, so that
   * a store which lost its last writes does not repeat one. Stores reject with `LEASE_LOST` under a lower one, so that an owner
   * which slept and lost its lease cannot write any more.
   */
  readonly fence: number;
  /**
   * Whether the lease before was not released: the agent of its owner may still be ending. Also when a worker gets its own lease
   * anew, since the lost answer may have been that of a takeover.
   */
  readonly isTakenOver: boolean;
}

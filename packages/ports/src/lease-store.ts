/**
 * The right to drive one session, which one owner has at a time. It alone keeps two agents from writing one
 * transcript: the agent itself locks nothing.
 */
export interface LeaseStore {
  /**
   * Asks for the lease. It is free when it is not held, when its holder has certainly exited, or when it was not renewed in
   * time. A lease that is held is refused to the same owner, too. Rejects when the state of the lease cannot be read.
   */
  acquire(session: string, request: { readonly owner: string }): Promise<LeaseAnswer>;
  /**
   * Keeps the lease. `lost`: another has it, or may have it; the previous holder must stop its agent at once. Called at
   * least three times within `renewWithinMs`, and never for a lease without that.
   */
  renew(lease: Lease): Promise<'kept' | 'lost'>;
  /** Releases the lease; one that is held by another stays. Safe to call twice. */
  release(lease: Lease): Promise<void>;
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
   * Higher than that of every lease of this session before, also after a restart: a whole number above 0. Stores refuse
   * what comes with a lower one, so that an owner which slept and lost its lease cannot write any more.
   */
  readonly fence: number;
  /** Whether the previous owner did not release it. Its agent may still be ending. */
  readonly isTakenOver: boolean;
  /** How long the lease holds without `renew()`; `undefined` when it holds as long as the owner's process lives. */
  readonly renewWithinMs: number | undefined;
}

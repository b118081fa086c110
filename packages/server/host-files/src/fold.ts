/** The state that the lines of a journal add up to. Every process that applies the same changes in the same order has the same state. */
export interface Fold<Change, Verdict> {
  /** Applies a change, if it is valid, and returns its outcome. Never throws for what another version wrote. */
  apply(change: Change): Verdict;
  /** Clears the state. */
  reset(): void;
  /** Changes that lead from an empty state to this one, each about as long as those that were applied. */
  snapshot(): Iterable<Change>;
  /** Runs before the lines so far are replaced by the snapshot, and again if another process runs it too. */
  replacing?(): Promise<void>;
}

/** How an agent exited. A value: whether it is a failure depends on what was open. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what the agent wrote to its error stream. */
  readonly stderr: string;
  /** `true` when `close()` of ours ended it. */
  readonly closed: boolean;
  /** A last line without an ending. It may be a whole frame or the start of one. */
  readonly unterminated?: string | undefined;
  /** Processes of it that could not be ended, since they belong to another user or the system holds them. */
  readonly notEnded?: readonly number[] | undefined;
}

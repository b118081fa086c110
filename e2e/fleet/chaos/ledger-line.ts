/** What an agent did. */
export interface LedgerLine {
  /** By the monotonic clock of the machine, which all processes share. */
  readonly at: number;
  readonly kind: 'open' | 'begin' | 'gone';
  /** The worker. */
  readonly owner: string;
  /** The agent. */
  readonly life: string;
  readonly session: string;
  readonly fence: number;
  /** Of a message that it begins with. */
  readonly text: string;
}

export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

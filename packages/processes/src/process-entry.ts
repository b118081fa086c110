import type { Origin } from './process-mark.ts';

/** One running process. What has ended and only waits to be collected does not count. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Where only `ps` can be asked, the group stands in for it. */
  readonly session: number;
  /** When it began, as the system writes it: a number that was given out again began at another time. */
  readonly began: string;
}

/** A process whose environment names a program. */
export interface MarkedProcess extends ProcessEntry {
  readonly origin: Origin;
}

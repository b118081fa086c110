import type { Origin } from './process-mark.ts';

/** A running process. Zombies are left out. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session; where only `ps` can be asked, the group. */
  readonly session: number;
  /** When it began, as the system writes it: a number that was given out again began at another time. */
  readonly began: string;
}

/** A process whose environment names a program. */
export interface MarkedProcess extends ProcessEntry {
  readonly origin: Origin;
}

import type { WorkerState } from '@hexagent/ports';

/** A session that no worker drives. */
export interface PlacedSession {
  /** The key of the session in the stores. */
  readonly id: string;
  readonly tenant?: string | undefined;
  /** Where the worker was reached that drove it last. */
  readonly address?: string | undefined;
}

/** Which of the living workers is to take a session; `undefined` where none is. A pure function: each process has to find the same. */
export type Placement = (session: PlacedSession, workers: readonly WorkerState[]) => WorkerState | undefined;

/** For a worker that does not name its capacity, and is never full. */
const assumedCapacity = 20;

/**
 * The worker that drove the session last, unless it drains or is full: it has the files. Otherwise the worker with the least leases for
 * its capacity, also above it, since most agents that live are idle.
 */
export const place: Placement = ({ id, address }, workers) => {
  const taking = workers.filter(({ isDraining }) => !isDraining);
  const last = taking.filter((worker) => address !== undefined && worker.address === address && !isFull(worker));
  return leastLoaded(id, last.length > 0 ? last : taking);
};

const isFull = ({ leases, capacity = Infinity }: WorkerState): boolean => leases >= capacity;

const loadOf = ({ leases, capacity = assumedCapacity }: WorkerState): number => leases / capacity;

/** Of workers with the same load, each session has its own first one: all of them are used, and a list in another order changes nothing. */
function leastLoaded(id: string, workers: readonly WorkerState[]): WorkerState | undefined {
  return workers.reduce<WorkerState | undefined>(
    (least, worker) => (least === undefined || isBefore(id, worker, least) ? worker : least),
    undefined,
  );
}

function isBefore(id: string, one: WorkerState, other: WorkerState): boolean {
  const difference = loadOf(one) - loadOf(other);
  return difference < 0 || (difference === 0 && comesFirst(id, one, other));
}

function comesFirst(id: string, one: WorkerState, other: WorkerState): boolean {
  const difference = hash(`${id} ${one.owner}`) - hash(`${id} ${other.owner}`);
  return difference < 0 || (difference === 0 && one.owner < other.owner);
}

/** FNV-1a, mixed once more: texts that differ in their last letters only are spread, too. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

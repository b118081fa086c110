import { hasCode, isRecord } from '@hexagent/checks';
import { readFileSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { processBegan } from '@hexagent/processes';

/** The process that holds a lease, with what distinguishes it from a later process of the same number. */
export interface Holder {
  readonly pid: number;
  /** When it began; `undefined` where the system does not show that. */
  readonly began?: string | undefined;
  readonly host: string;
  /** The start of the system that it belongs to. */
  readonly boot?: string | undefined;
  /** The container in which the number is valid. */
  readonly namespace?: string | undefined;
}

/** Whether it names a process. Zero and negative numbers are groups of processes. */
export const isHolder = (value: unknown): value is Holder =>
  isRecord(value) &&
  Number.isSafeInteger(value['pid']) &&
  Number(value['pid']) > 0 &&
  typeof value['host'] === 'string';

let own: Promise<Holder> | undefined;

/** This process. */
export function ownHolder(): Promise<Holder> {
  own ??= (async (): Promise<Holder> => {
    const { pid } = process;
    const [began, namespace] = await Promise.all([processBegan(pid), ownNamespace()]);
    return { pid, host: hostname(), began, boot: ownBoot(), namespace };
  })();
  return own;
}

/**
 * Whether a holder of this machine has exited. After a restart of the machine, or of a container under the same name, every
 * earlier process has.
 */
export async function hasGone(holder: Holder): Promise<boolean> {
  const self = await ownHolder();
  if (holder.boot !== self.boot || holder.namespace !== self.namespace) return true;
  if (!isRunning(holder.pid)) return true;
  const began = await processBegan(holder.pid);
  return holder.began !== undefined && began !== holder.began;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function ownBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return undefined; // Other systems do not have it.
  }
}

async function ownNamespace(): Promise<string | undefined> {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return undefined; // Other systems do not have it.
  }
}

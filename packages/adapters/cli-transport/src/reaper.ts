import { rmSync } from 'node:fs';
import { Watchdog } from './watchdog.ts';

/** What must not outlive this process. */
export interface Ward {
  readonly pid: number;
  /** A folder of private files, to be removed. */
  readonly folder?: string | undefined;
  /** Ends it now, without waiting; needed where no watchdog is. */
  readonly end: () => void;
}

const wards = new Set<Ward>();
const watchdog = new Watchdog();

/** Makes ready for a ward to come: see {@link Watchdog.prepare}. */
export function expectWard(): void {
  watchdog.prepare();
}

/**
 * Ends what lives when this process ends. One listener for all, and only `exit`: a listener for a signal would take
 * away what the signal does by default, which is the program's to decide.
 */
export function adopt(ward: Ward, { watched }: { readonly watched: boolean }): () => void {
  if (wards.size === 0) process.on('exit', endAll);
  wards.add(ward);
  if (watched) watchdog.watch(ward.pid, ward.folder);
  return () => {
    if (!wards.delete(ward)) return;
    watchdog.forget(ward.pid);
    if (wards.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const { end, folder } of wards) {
    if (!watchdog.wakes) end();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

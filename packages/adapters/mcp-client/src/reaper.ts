/** Processes that must not outlive this one. */
const wards = new Set<number>();

/**
 * Kills a server when this process ends without having closed it: one that ignores the end of its input would live on.
 * One listener for all, and only `exit`: a listener for a signal would take away what the signal does by default.
 * Returns what to call once the server has gone.
 */
export function adopt(pid: number): () => void {
  if (wards.size === 0) process.on('exit', killAll);
  wards.add(pid);
  return () => {
    wards.delete(pid);
    if (wards.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const pid of wards) {
    try {
      process.kill(pid, 'SIGKILL'); // nobody is left to wait for anything gentler
    } catch {
      // It has gone by itself just now.
    }
  }
}

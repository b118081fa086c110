import { processTable } from './process-table.ts';

/**
 * When a running process of this machine began, as the system writes it: a number that was given out again began at
 * another time. `undefined` for one that does not run, and where the system shows nothing.
 */
export async function processBegan(pid: number): Promise<string | undefined> {
  const table = processTable(process.platform);
  if (table.now !== undefined) return table.now.entry(pid)?.began;
  return (await table.all()).find((entry) => entry.pid === pid)?.began;
}

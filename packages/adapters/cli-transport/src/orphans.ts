import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * The processes that an agent which died at once has left behind. They are nobody's children now and have sessions of
 * their own, but the CLI tells its number to each tool it starts. Linux only: elsewhere the answer is nobody.
 */
export async function orphansOf(agent: number, platform: NodeJS.Platform): Promise<ReadonlySet<number>> {
  if (platform !== 'linux') return new Set();
  const here = await readlink('/proc/self/ns/pid').catch(() => '');
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map(async (pid) => (await isMarked(pid, agent, here)) && Number(pid)));
  return new Set(marked.filter((pid) => pid !== false));
}

async function isMarked(pid: string, agent: number, here: string): Promise<boolean> {
  // What belongs to another person, or has ended meanwhile, cannot be read and is none of ours.
  const variables = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  if (!`\0${variables}`.includes(`\0CLAUDE_PID=${agent}\0`)) return false;
  // In a container seen from outside, the same number is another agent's.
  return (await readlink(`/proc/${pid}/ns/pid`).catch(() => undefined)) === here;
}

import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import type { RunningCall } from './running-calls.ts';

/** Whose output a file is, by the command lines of the processes that write to it. `undefined` where that is not certain, or not listed in `/proc`. */
export async function callWriting(file: string, calls: readonly RunningCall[]): Promise<RunningCall | undefined> {
  return callIn(await commandLinesWriting(file), calls);
}

/** The call whose command is the longest that a command line has. Of equal commands none: the agent names the call later. */
export function callIn(lines: readonly string[], calls: readonly RunningCall[]): RunningCall | undefined {
  const plain = lines.map(withoutQuotes);
  const found = calls.filter(({ command }) => plain.some((line) => line.includes(withoutQuotes(command))));
  const longest = Math.max(...found.map(({ command }) => command.length));
  const [call, ...others] = found.filter(({ command }) => command.length === longest);
  return others.length === 0 ? call : undefined;
}

async function commandLinesWriting(file: string): Promise<readonly string[]> {
  try {
    const [names, target] = await Promise.all([readdir('/proc'), realpath(file)]);
    const pids = names.filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(pids.map((pid) => commandLineOf(pid, target)));
    return lines.filter((line) => line !== undefined);
  } catch {
    return []; // not Linux, or ended meanwhile
  }
}

async function commandLineOf(pid: string, target: string): Promise<string | undefined> {
  try {
    return (await readlink(`/proc/${pid}/fd/1`)) === target
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8')
      : undefined;
  } catch {
    return undefined; // it has ended, or is of another user
  }
}

/** The agent's shell gets the command in quotes. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/['"\\]/g, '');
}

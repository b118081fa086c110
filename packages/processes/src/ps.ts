import { execFile } from 'node:child_process';
import { readHostEnvironment } from './read-host-environment.ts';
import { systemTool } from './system-tools.ts';
import { readOrigin } from './process-mark.ts';
import { hasEnded } from './proc.ts';
import type { MarkedProcess, ProcessEntry } from './process-entry.ts';

const columns = 'pid=,ppid=,pgid=,state=,lstart=';

export async function entriesFromPs(): Promise<readonly ProcessEntry[]> {
  return parse(await ps(['-A', '-o', columns])).map(({ entry }) => entry);
}

/**
 * macOS shows the environment of programs that do not belong to the system; elsewhere `ps` has another option for it. What
 * is not shown is not found.
 */
export async function markedFromPs(): Promise<readonly MarkedProcess[]> {
  const lines = parse(await ps(['-A', '-E', '-ww', '-o', `${columns},command=`]));
  return lines.flatMap(({ entry, command }) => {
    const origin = readOrigin(command.replaceAll(' ', '\0'));
    return origin === undefined ? [] : [{ ...entry, origin }];
  });
}

function ps(args: readonly string[]): Promise<string> {
  // Dates are compared, so they are asked for in one language.
  const options = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(systemTool('ps', readHostEnvironment({ env: {} })), args, options, (error, stdout) =>
      resolve(error === null ? stdout : ''),
    );
  });
}

function parse(listing: string): readonly { readonly entry: ProcessEntry; readonly command: string }[] {
  return listing.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...more] = line.trim().split(/\s+/);
    if (state === undefined || hasEnded(state)) return [];
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
    return [{ entry: { ...numbers, began: more.slice(0, 5).join(' ') }, command: more.slice(5).join(' ') }];
  });
}

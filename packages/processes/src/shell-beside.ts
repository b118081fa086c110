import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Starts a small shell beside this process, which it does not keep alive. Its output 3 is `shared`, an input of another one.
 * `undefined` where that failed, as on a system without a shell.
 */
export function startShell(script: string, variables: NodeJS.ProcessEnv, shared?: Writable): ChildProcess | undefined {
  let shell;
  try {
    shell = spawn('/bin/sh', ['-c', script], {
      // In a new session, so that Ctrl-C does not reach it; it holds no folder and no output of this process.
      detached: true,
      cwd: '/',
      env: { PATH: `/usr/bin:/bin:/usr/sbin:/sbin:${process.env['PATH'] ?? ''}`, ...variables },
      // As one of the first three, Node would have the shared one block this process, too, when it is full.
      stdio: ['pipe', 'ignore', 'ignore', ...(shared === undefined ? [] : [shared])],
    });
  } catch {
    return undefined;
  }
  shell.on('error', () => {}); // this system has no shell: `pid` is undefined
  shell.stdin?.on('error', () => {}); // its exit reports the same
  if (shell.pid === undefined) return undefined;
  shell.unref();
  // It is a socket, which its type does not show.
  if (shell.stdin !== null && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return shell;
}

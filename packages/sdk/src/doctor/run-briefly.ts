import { spawn } from 'node:child_process';
import { systemClock } from '@hexagent/processes';

/** How a program ended that had little time. */
export type BriefRun =
  | { readonly kind: 'exited'; readonly code: number | null; readonly output: string }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly reason: string };

/** More than a version needs; what a wrapper prints beyond it is dropped. */
const keptOutput = 4096;

interface BriefOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Runs a program to its end, and ends it and what it started when that takes too long. */
export function runBriefly([file = '', ...args]: readonly string[], options: BriefOptions): Promise<BriefRun> {
  const { cwd, env, timeoutMs } = options;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    const end = (run: BriefRun): void => {
      stopWaiting();
      if (run.kind === 'late') endAll(child.pid);
      // What the program has started may hold its output open.
      child.stdout.destroy();
      resolve(run);
    };
    const stopWaiting = systemClock.after(timeoutMs, () => end({ kind: 'late' }), { keepsAlive: true });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output = (output + piece).slice(0, keptOutput);
    });
    child.on('error', (error) => end({ kind: 'failed', reason: 'code' in error ? String(error.code) : error.message }));
    child.on('close', (code) => end({ kind: 'exited', code, output }));
  });
}

/** The process group on systems that have one. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

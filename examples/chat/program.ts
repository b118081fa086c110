import { spawn } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { SdkError } from '@hexagent/sdk';

/** What a person can mend, as the message says. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** Runs a program until a signal ends it; returns the exit code that goes with the signal, or 1 where it cannot run. */
export async function untilSignal(
  called: string,
  program: (left: Promise<number>) => Promise<number>,
): Promise<number> {
  const left = new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => resolve(code));
  });
  try {
    return await program(left);
  } catch (error) {
    // Ctrl-C ends the programs that were being started as well.
    const code = await Promise.race([left, setImmediate()]);
    if (code !== undefined) return code;
    console.error(`${called} cannot run.\n${explain(error)}`);
    return 1;
  }
}

/** For a person who did not write this program: a stack only where it has a defect. */
function explain(error: unknown): string {
  if (SdkError.is(error)) return `${error.message}\n${error.remedy}`;
  return error instanceof Problem || isOfSystem(error) ? error.message : inspect(error);
}

/** Whether the operating system refused something. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || isOfSystem(error.cause));
}

/** Where there is no browser to open, the address is printed already. */
export function openBrowser(url: string): void {
  const [command, ...args] = { darwin: ['open', url], win32: ['cmd', '/c', 'start', '', url] }[
    process.platform as string
  ] ?? ['xdg-open', url];
  spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref();
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { SdkError, type Launch } from '@hexagent/ports';
import { withoutValues } from '@hexagent/processes';
import { tooLong } from './argument-limits.ts';
import type { Program } from './program.ts';

/** A process that runs. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
}

export interface StartOptions {
  readonly cwd: string | undefined;
  readonly env: Launch['env'];
  readonly platform: NodeJS.Platform;
}

/**
 * What runs is returned at once: from then on it is the caller's to end.
 * @throws {SdkError} `AGENT_START_FAILED` or `ARGUMENT_TOO_LONG`, with the system's error as its cause; also as a rejection.
 */
export function start(program: Program, args: readonly string[], options: StartOptions): Started | Promise<never> {
  const { cwd, env, platform } = options;
  const failed = (cause: unknown): SdkError => {
    const told = withoutValues(cause);
    const code = told instanceof Error && 'code' in told ? told.code : undefined;
    if (code === 'E2BIG' || code === 'ENAMETOOLONG') return tooLong(args, env, told);
    return new SdkError('AGENT_START_FAILED', `The system could not start ${program.file}.`, { cause: told });
  };
  let child: ChildProcessWithoutNullStreams;
  try {
    // A group of its own, so that all of it can be ended. On Windows that would open a console.
    const detached = platform !== 'win32';
    child = spawn(program.file, [...program.args, ...args], { cwd, env, detached, windowsHide: true });
  } catch (cause) {
    throw failed(cause);
  }
  if (child.pid !== undefined) return { child, pid: child.pid };
  return new Promise((_, reject) => child.once('error', (cause) => reject(failed(cause))));
}

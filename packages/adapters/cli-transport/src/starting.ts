import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { SdkError, type Launch } from '@hexagent/ports';
import { tooLong } from './argument-limits.ts';

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

/** @throws {SdkError} `AGENT_START_FAILED` or `ARGUMENT_TOO_LONG`, with the system's error as its cause. */
export async function start(file: string, args: readonly string[], options: StartOptions): Promise<Started> {
  const { cwd, env, platform } = options;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(file, args, {
      cwd,
      env,
      // A group of its own, so that all of it can be ended. On Windows this would open a console.
      detached: platform !== 'win32',
      windowsHide: true,
    });
  } catch (cause) {
    throw startFailed(file, args, options, cause);
  }
  if (child.pid !== undefined) return { child, pid: child.pid };
  const cause = await new Promise((resolve) => child.once('error', resolve));
  throw startFailed(file, args, options, cause);
}

function startFailed(file: string, args: readonly string[], options: StartOptions, cause: unknown): SdkError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'E2BIG') return tooLong(args, options.env, cause);
  const hint = code === 'ENOEXEC' ? ' It is not a program for this system.' : '';
  return new SdkError('AGENT_START_FAILED', `Could not start ${file}.${hint}`, { cause });
}

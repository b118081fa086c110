import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { SdkError, type Launch } from '@hexagent/ports';
import { tooLong } from './launch-arguments.ts';

/** A program with its first arguments; those of the launch follow. The file is absolute, so that no folder decides which program it is. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly verbatim?: boolean | undefined;
}

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
    const reported = withoutValues(cause);
    const code = reported instanceof Error && 'code' in reported ? reported.code : undefined;
    if (code === 'E2BIG' || code === 'ENAMETOOLONG') return tooLong(args, env, reported);
    return new SdkError('AGENT_START_FAILED', `The system could not start ${program.file}.`, { cause: reported });
  };
  let child: ChildProcessWithoutNullStreams;
  try {
    // In a new process group, so that all of it can be ended. On Windows that would open a console.
    const detached = platform !== 'win32';
    child = spawn(program.file, [...program.args, ...args], {
      cwd,
      env,
      detached,
      windowsHide: true,
      windowsVerbatimArguments: program.verbatim === true,
    });
  } catch (cause) {
    throw failed(cause);
  }
  if (child.pid !== undefined) return { child, pid: child.pid };
  return new Promise((_, reject) => child.once('error', (cause) => reject(failed(cause))));
}

/**
 * The error of a start without what it holds of the launch: Node hangs all arguments on an error of the system, and
 * prints a value that it does not take itself. Rules and secrets are among them.
 */
function withoutValues(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('ERR_INVALID_ARG'))
    return Object.assign(new Error(`Node did not take the launch (${code}).`), { code });
  Reflect.deleteProperty(cause, 'spawnargs');
  return cause;
}

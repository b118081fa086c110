import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { errorText } from '@hexagent/checks';
import { isBareName, readHostEnvironment, type HostEnvironment } from '@hexagent/processes';
import { runBriefly, type BriefRun } from './run-briefly.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What the checks read of the system. A value, so that each fault is planted without being one of this machine. */
export interface Machine {
  readonly host: HostEnvironment;
  /** Of a session with the same options. */
  readonly env: Variables;
  /** Of this process. */
  readonly own: Variables;
  readonly nodeVersion: string;
  /** The folder of this user by the system, for where no variable names one. */
  readonly systemHome: string | undefined;
  readonly executable?: string | undefined;
  readonly cwd?: string | undefined;
  /** The code of the error with which files could not be made in a folder. Nothing is written to find that out. */
  whyNotWritable(folder: string): Promise<string | undefined>;
  /** The room that is left where a folder is; `undefined` where the system does not know. */
  room(folder: string): Promise<Room | undefined>;
  /** @param folder where it works: one that certainly exists, since that of the program may be gone */
  run(command: readonly string[], folder: string): Promise<BriefRun>;
}

export interface Room {
  readonly bytes: number;
  readonly files: number;
}

export interface MachineOptions {
  readonly env: Variables;
  readonly executable?: string | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutMs: number;
}

/** The machine as it is. */
export function readMachine({ env, executable, cwd, timeoutMs }: MachineOptions): Machine {
  return {
    host: readHostEnvironment({ env }),
    env,
    own: process.env,
    nodeVersion: process.versions.node,
    systemHome: systemHome(),
    executable: executable === undefined || isBareName(executable, process.platform) ? executable : resolve(executable),
    cwd,
    whyNotWritable,
    room,
    run: async (command, cwd) => await runBriefly(command, { cwd, env: quiet(env), timeoutMs }),
  };
}

/** The CLI that is asked for its version has no reason to send anything, and is given none. */
const quiet = (env: Variables): Variables => ({
  ...env,
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

function systemHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined; // a user that the system has no entry of
  }
}

async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : errorText(error);
  }
}

async function room(folder: string): Promise<Room | undefined> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    // A file system without a limit of files reports that it has none at all.
    return { bytes: bavail * bsize, files: files === 0 ? Infinity : ffree };
  } catch {
    return undefined; // not every file system and runtime has an answer
  }
}

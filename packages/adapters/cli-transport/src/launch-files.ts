import { mkdirSync, rm, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { SdkError, type Launch, type LaunchArgument } from '@hexagent/ports';
import { makeFolder, type PrivateFiles, type WrittenFiles } from '@hexagent/processes';
import { writeBelow, writeConfigFolder } from './config-folder.ts';

/** The parts of a launch that become files. */
type LaunchWithFiles = Pick<Launch, 'args' | 'env' | 'ownFolder' | 'configFolder'>;

/** Whether a launch has no files. */
export function isPlain(args: readonly LaunchArgument[]): args is readonly string[] {
  return args.every((arg) => typeof arg === 'string');
}

/** The files of a launch, as the kit that starts it writes and removes them. */
export function launchFiles(launch: LaunchWithFiles): PrivateFiles {
  const { ownFolder } = launch;
  return {
    // Absolute, because it may be removed by a process in another folder.
    folder: (id) => `${resolve(ownFolder ?? join(tmpdir(), 'hexagent-launch-'))}${id}`,
    write(folder) {
      if (ownFolder !== undefined && folder !== undefined) makeAbove(folder);
      return writeLaunchFiles(launch, folder);
    },
    remove: removeLaunchFiles,
  };
}

/**
 * Writes the files of a launch where only their owner can read them, and returns the arguments and the environment as the
 * agent gets them.
 * The caller removes the folder, however this ends. Synchronous: between the first byte and the
 * start of the agent no abort and no exit of this process finds half of it.
 * @throws {SdkError} `AGENT_START_FAILED` when they cannot be written.
 */
function writeLaunchFiles({ args, env, configFolder }: LaunchWithFiles, folder = ''): WrittenFiles {
  try {
    if (folder !== '') mkdirSync(folder, { mode: 0o700 }); // fails when the folder exists
    const written = writeArguments(args, folder);
    if (configFolder === undefined) return { args: written };
    const path = join(folder, 'config');
    writeConfigFolder(path, configFolder, env);
    return { args: written, env: { ...env, CLAUDE_CONFIG_DIR: path } };
  } catch (cause) {
    const message = `Could not write the agent's private files to ${folder} (${reasonOf(cause)}).`;
    throw new SdkError('AGENT_START_FAILED', message, { cause });
  }
}

function writeArguments(args: readonly LaunchArgument[], folder: string): readonly string[] {
  return args.map((arg, index) => {
    if (typeof arg === 'string') return arg;
    const path = join(folder, `${index}-${basename(arg.name)}`);
    if ('files' in arg) for (const file of arg.files) writeBelow(path, file);
    else writeFileSync(path, arg.content, { mode: 0o600, flag: 'wx' });
    return path;
  });
}

/** @throws {SdkError} `AGENT_START_FAILED` */
function makeAbove(folder: string): void {
  const above = dirname(folder);
  try {
    makeFolder(above);
  } catch (cause) {
    throw new SdkError('AGENT_START_FAILED', `Could not make the folder ${above} (${reasonOf(cause)}).`, { cause });
  }
}

/** The text of the system, such as `ENOSPC: no space left on device, write`. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Never rejects: what cannot be removed now is in the system's folder for temporary files. */
async function removeLaunchFiles(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await new Promise<void>((removed) => rm(folder, { recursive: true, force: true }, () => removed()));
}

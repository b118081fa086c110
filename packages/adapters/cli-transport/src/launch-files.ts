import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { SdkError, type LaunchArgument } from '@hexagent/ports';

/** Arguments as the agent gets them, and the private files that some of them name. */
export interface WrittenLaunch {
  readonly args: readonly string[];
  /** Where the files are; absent when there are none. */
  readonly folder?: string | undefined;
  /** Safe to call twice, never rejects. */
  remove(): Promise<void>;
}

/**
 * Writes the files of a launch where only their owner can read them. Leaves nothing behind when it fails.
 * @throws {SdkError} `AGENT_START_FAILED` when they cannot be written.
 */
export async function writeLaunchFiles(args: readonly LaunchArgument[]): Promise<WrittenLaunch> {
  if (args.every((arg) => typeof arg === 'string')) return { args, remove: async () => {} };
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    // What cannot be removed now is in the system's folder for what may go.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  };
  try {
    folder = await mkdtemp(join(tmpdir(), 'hexagent-launch-'));
    return { args: await writeInto(folder, args), folder, remove };
  } catch (cause) {
    await remove();
    throw new SdkError('AGENT_START_FAILED', `Could not write the agent's private files below ${tmpdir()}.`, { cause });
  }
}

async function writeInto(folder: string, args: readonly LaunchArgument[]): Promise<string[]> {
  const written: string[] = [];
  // One after the other, so that nothing is still being written when one fails and the folder is removed.
  for (const [index, arg] of args.entries()) {
    if (typeof arg === 'string') {
      written.push(arg);
      continue;
    }
    const path = join(folder, `${index}-${basename(arg.name)}`);
    await writeFile(path, arg.content, { mode: 0o600, flag: 'wx' });
    written.push(path);
  }
  return written;
}

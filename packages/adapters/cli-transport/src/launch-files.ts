import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { LaunchArgument } from '@hexagent/ports';

/** Arguments as the agent gets them, and the private files that some of them name. */
export interface WrittenLaunch {
  readonly args: readonly string[];
  /** Where the files are; absent when there are none. */
  readonly folder?: string | undefined;
  /** Safe to call twice, never rejects. */
  remove(): Promise<void>;
}

/** Writes the files of a launch where only their owner can read them. Leaves nothing behind when it fails. */
export async function writeLaunchFiles(args: readonly LaunchArgument[]): Promise<WrittenLaunch> {
  const written: string[] = [];
  if (args.every((arg) => typeof arg === 'string')) return { args, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-launch-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {});
  try {
    for (const [index, arg] of args.entries()) {
      if (typeof arg === 'string') {
        written.push(arg);
        continue;
      }
      const path = join(folder, `${index}-${basename(arg.name)}`);
      await writeFile(path, arg.content, { mode: 0o600, flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { args: written, folder, remove };
}

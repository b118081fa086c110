import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Environment } from '@hexagent/sdk';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import { startLoopback, type Script } from '@hexagent/testing/loopback';

/** A folder for everything that the demo writes, and that is removed at the end. */
export interface Workspace {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Where one scene takes place. */
export interface Stage {
  readonly cwd: string;
  readonly env: Environment;
  close(): Promise<void>;
}

/** What the agents write in all scenes together, with some to spare. */
const neededBytes = 4_000_000;

/** @throws {Error} when the folder for temporary files is missing, full or may not be written to. */
export async function openWorkspace(): Promise<Workspace> {
  const parent = tmpdir();
  let folder = '';
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  try {
    folder = await mkdtemp(path.join(await realpath(parent), 'hexagent-demo-'));
    // Otherwise a scene would fail later, in words of the CLI.
    await writeFile(path.join(folder, 'room'), new Uint8Array(neededBytes));
    await rm(path.join(folder, 'room'));
  } catch (cause) {
    await remove();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The demo needs 4 MB in the temporary folder ${parent} (${reason}). Make room there, or set TMPDIR to another folder.`,
      { cause },
    );
  }
  // The private files of a launch are in it too, and can be counted.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return { folder, remove };
}

/** An empty home and a scripted model: no key, no network, no settings of the person. */
export async function offlineStage(script: Script, marker: string): Promise<Stage> {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  return {
    cwd: home.cwd,
    env: { policy: 'exact', set: hermeticEnv({ loopback, home, extra: { HEXAGENT_DEMO: marker } }) },
    close: async () => {
      await loopback.close();
      await home.remove();
    },
  };
}

/** The person's own login or key, in an empty folder. */
export async function liveStage({ folder }: Workspace, marker: string): Promise<Stage> {
  const cwd = path.join(folder, 'work');
  await mkdir(cwd);
  return {
    cwd,
    env: { set: { HEXAGENT_DEMO: marker } },
    close: () => rm(cwd, { recursive: true, force: true }),
  };
}

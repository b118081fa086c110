import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
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

export async function openWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'hexagent-demo-'));
  // The private files of a launch are in it too, and can be counted.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) };
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

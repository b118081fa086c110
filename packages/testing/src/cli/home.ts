import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary folders for runs of the CLI, without the user's settings, keys or history. */
export interface HermeticHome extends AsyncDisposable {
  /** Holds the three others; also a marker that every process of such a run carries in its environment. */
  readonly root: string;
  /** For `HOME`. */
  readonly home: string;
  /** An empty folder to work in. */
  readonly cwd: string;
  /** For `TMPDIR`: the CLI leaves task outputs and probes behind in the temp folder. */
  readonly tmp: string;
  /** Deletes all of it. Safe to call twice. */
  remove(): Promise<void>;
}

export async function hermeticHome(): Promise<HermeticHome> {
  // Resolved, because the CLI reports real paths, and on macOS the temp folder is a link.
  const root = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-'));
  const [home, cwd, tmp] = [join(root, 'home'), join(root, 'work'), join(root, 'tmp')];
  await Promise.all([home, cwd, tmp].map((folder) => mkdir(folder)));
  const remove = async (): Promise<void> => {
    // A CLI that is ending may still write files, so deleting is repeated.
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  return { root, home, cwd, tmp, remove, [Symbol.asyncDispose]: remove };
}

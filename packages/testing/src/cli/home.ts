import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A throw-away place for one run of the CLI: nothing of the person's own settings, keys or history is near it. */
export interface HermeticHome extends AsyncDisposable {
  /** The folder of `HOME`. */
  readonly home: string;
  /** An empty folder to work in, beside `home`, not inside it. */
  readonly cwd: string;
  /** Deletes all of it. Safe to call twice. */
  remove(): Promise<void>;
}

export async function hermeticHome(): Promise<HermeticHome> {
  // Resolved, because the CLI reports real paths: on macOS the temp folder lies behind a link.
  const root = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-'));
  const home = join(root, 'home');
  const cwd = join(root, 'work');
  await Promise.all([mkdir(home), mkdir(cwd)]);
  const remove = async (): Promise<void> => {
    // A CLI that is just ending still writes its last files; deleting is tried again until it has.
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  return { home, cwd, remove, [Symbol.asyncDispose]: remove };
}

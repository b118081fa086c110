import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder extends AsyncDisposable {
  readonly path: string;
  /** Writes a file, executable by default, and returns its path. */
  file(name: string, content: string | Uint8Array, mode?: number): Promise<string>;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
  return {
    path,
    async file(name, content, mode = 0o755) {
      const full = join(path, name);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content, { mode });
      return full;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder extends AsyncDisposable {
  readonly path: string;
  /** Writes an executable file and returns its path. */
  file(name: string, content?: string): Promise<string>;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
  return {
    path,
    async file(name, content = '') {
      const full = join(path, name);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content, { mode: 0o755 });
      return full;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

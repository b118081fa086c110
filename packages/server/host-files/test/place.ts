import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of one test. */
export interface Place extends AsyncDisposable {
  readonly folder: string;
}

/** Makes a folder, and closes what was opened in it before it is removed. */
export async function place(opened: Iterable<{ close(): Promise<void> }> = []): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-files-'));
  return {
    folder,
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

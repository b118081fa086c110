import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ListedSession, SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from '@hexagent/ports';
import { foldSessionSummary } from '../src/index.ts';

/** A store of files, one line for each entry. It is for tests: one process at a time, names as they come. */
export class FileSessionStore implements SessionStore {
  readonly #root: string;
  #last: Promise<unknown> = Promise.resolve();
  #lastWrite = 0;

  constructor(root: string) {
    this.#root = root;
  }

  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    // Read before the first wait, since a caller may change them after it. One after another, or two would both find a uuid missing.
    const lines = entries.map((entry) => ({ uuid: entry.uuid, line: `${JSON.stringify(entry)}\n` }));
    const appended = this.#last.then(async () => {
      const known = new Set((await this.load(key))?.map(({ uuid }) => uuid));
      const added = lines.filter(({ uuid }) => uuid === undefined || (!known.has(uuid) && known.add(uuid)));
      await mkdir(dirname(this.#fileOf(key)), { recursive: true });
      await appendFile(this.#fileOf(key), added.map(({ line }) => line).join(''));
      if (key.subpath === undefined) await this.#summarise(key, added);
    });
    this.#last = appended.catch(() => {});
    return appended;
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const text = await readIfThere(this.#fileOf(key));
    if (text === null) return null;
    // Written by `append`.
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as SessionStoreEntry]));
  }

  async listSessions(projectKey: string): Promise<ListedSession[]> {
    return (await this.listSessionSummaries(projectKey)).map(({ sessionId, mtime }) => ({ sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const sessions = await readdir(join(this.#root, projectKey)).catch(() => []);
    const texts = await Promise.all(
      sessions.map((sessionId) => readIfThere(this.#summaryOf({ projectKey, sessionId }))),
    );
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as SessionSummaryEntry]));
  }

  async delete(key: SessionKey): Promise<void> {
    await rm(key.subpath === undefined ? this.#folderOf(key) : this.#fileOf(key), { recursive: true, force: true });
  }

  async listSubkeys(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
    const files = await readdir(join(this.#folderOf(key), 'sub')).catch(() => []);
    return files.map((name) => decodeURIComponent(name));
  }

  async #summarise(key: SessionKey, added: readonly { readonly line: string }[]): Promise<void> {
    const text = await readIfThere(this.#summaryOf(key));
    const previous = text === null ? undefined : (JSON.parse(text) as SessionSummaryEntry);
    this.#lastWrite = Math.max(Date.now(), this.#lastWrite + 1);
    const entries = added.map(({ line }) => JSON.parse(line) as SessionStoreEntry);
    const summary = foldSessionSummary(previous, key, entries, { mtime: this.#lastWrite });
    await writeFile(this.#summaryOf(key), JSON.stringify(summary));
  }

  #folderOf({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): string {
    return join(this.#root, projectKey, sessionId);
  }

  #fileOf(key: SessionKey): string {
    const { subpath } = key;
    return join(this.#folderOf(key), subpath === undefined ? 'main.jsonl' : join('sub', encodeURIComponent(subpath)));
  }

  #summaryOf(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): string {
    return join(this.#folderOf(key), 'summary.json');
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

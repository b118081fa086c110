import { constants } from 'node:fs';
import { link, open, readdir, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SdkError } from '@hexagent/ports';
import { makeFolder } from '@hexagent/processes';
import { hasCode } from '@hexagent/checks';
import { OpenFile } from './open-file.ts';

/** The files hold requests for approval, so other users must not read them. */
const ownersOnly = 0o600;
/** Each write is appended behind those of all processes. Does not create the file. */
const adding = constants.O_RDWR | constants.O_APPEND;
const version = 1;
/** A draft that is being written grows all the time. */
const abandonedAfterMs = 3_600_000;
const names = /^(?<number>\d{8})\.v(?<version>\d+)\.jsonl$/;
const temporaries = /^(?<number>\d{8})\.v\d+\.jsonl\..*\.tmp$/;

/** A file that is being written beside the segments, under a temporary name. */
export interface Draft {
  /** Of the segment that it becomes. */
  readonly number: number;
  readonly path: string;
  readonly file: OpenFile;
}

/** The files of a journal: the one with the highest number is current, and was made from those before it. */
export class Segments {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  pathOf(number: number): string {
    return join(this.folder, `${String(number).padStart(8, '0')}.v${version}.jsonl`);
  }

  /** Opens the current one, and creates the first. */
  async openNewest(): Promise<{ readonly number: number; readonly file: OpenFile }> {
    makeFolder(this.folder);
    for (;;) {
      const newest = await this.newest();
      try {
        if (newest !== undefined) return { number: newest, file: await OpenFile.open(this.pathOf(newest), adding) };
        await (await open(this.pathOf(1), 'ax', ownersOnly)).close();
        await this.syncFolder();
      } catch (error) {
        // Another process has created the first, or replaced the newest, in the meantime.
        if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
      }
    }
  }

  /** @throws {SdkError} `STORE_FAILED` where a newer version of this package has written. */
  async newest(): Promise<number | undefined> {
    const found = (await readdir(this.folder)).flatMap((name) => {
      const { groups } = names.exec(name) ?? {};
      return groups === undefined
        ? []
        : [{ name, number: Number(groups['number']), version: Number(groups['version']) }];
    });
    if (found.some((segment) => segment.version > version))
      throw new SdkError(
        'STORE_FAILED',
        `The store in ${this.folder} was written by a newer version. Update the package.`,
      );
    const own = found.filter(({ name, number }) => name === basename(this.pathOf(number)));
    return own.length === 0 ? undefined : Math.max(...own.map(({ number }) => number));
  }

  /** Begins a segment of this number. It does not exist before it was added. */
  async draft(number: number): Promise<Draft> {
    await this.#removeAbandoned();
    const path = `${this.pathOf(number)}.${crypto.randomUUID()}.tmp`;
    return { number, path, file: await OpenFile.open(path, 'wx', ownersOnly) };
  }

  /**
   * Adds a segment, unless there is one of its number, and removes the earlier ones. All processes that try this have
   * lines that lead to the same state, so it does not matter whose are kept.
   */
  async add({ number, path, file }: Draft): Promise<void> {
    await file.datasync();
    try {
      await link(path, this.pathOf(number));
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
    }
    await this.syncFolder();
    await this.#removeBefore(number);
  }

  /** Whether the file system supports hard links, without which a segment cannot be added safely. */
  async canAdd(number: number): Promise<boolean> {
    const temporary = `${this.pathOf(number)}.${crypto.randomUUID()}.tmp`;
    try {
      await (await open(temporary, 'wx', ownersOnly)).close();
      await link(temporary, `${temporary}.link.tmp`);
      await unlink(`${temporary}.link.tmp`);
      return true;
    } catch (error) {
      if (hasCode(error, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) return false;
      throw error;
    } finally {
      await ignoreMissing(unlink(temporary));
    }
  }

  async #removeBefore(number: number): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const before = Number((names.exec(name) ?? temporaries.exec(name))?.groups?.['number'] ?? number);
      if (before < number) await ignoreMissing(unlink(join(this.folder, name)));
    }
  }

  /** Otherwise a process that is killed at each attempt would fill the disk. */
  async #removeAbandoned(): Promise<void> {
    for (const name of (await readdir(this.folder)).filter((each) => temporaries.test(each))) {
      const path = join(this.folder, name);
      const written = await stat(path).catch(() => undefined); // Another process has removed it.
      if (written !== undefined && Date.now() - written.mtimeMs > abandonedAfterMs) await ignoreMissing(unlink(path));
    }
  }

  /** Syncs the folder: without it a new file may be missing after a loss of power. Not every system supports this. */
  async syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } catch (error) {
      if (!hasCode(error, 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP')) throw error;
    } finally {
      await folder.close();
    }
  }
}

async function ignoreMissing(removed: Promise<void>): Promise<void> {
  try {
    await removed;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

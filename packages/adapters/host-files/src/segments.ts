import { constants } from 'node:fs';
import { link, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SdkError } from '@hexagent/ports';
import { randomUuid } from '@hexagent/processes';
import { hasCode } from './file-errors.ts';
import { OpenFile } from './open-file.ts';

/** The files hold requests for approval, so other users must not read them. */
const ownersOnly = 0o600;
/** Each write is appended behind those of all processes. Does not create the file. */
const adding = constants.O_RDWR | constants.O_APPEND;
const version = 1;
const names = /^(?<number>\d{8})\.v(?<version>\d+)\.jsonl$/;
const temporaries = /^(?<number>\d{8})\.v\d+\.jsonl\..*\.tmp$/;

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
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
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
      return groups === undefined ? [] : [{ number: Number(groups['number']), version: Number(groups['version']) }];
    });
    if (found.some((segment) => segment.version > version))
      throw new SdkError(
        'STORE_FAILED',
        `The store in ${this.folder} was written by a newer version. Update the package.`,
      );
    return found.length === 0 ? undefined : Math.max(...found.map(({ number }) => number));
  }

  /**
   * Adds a segment that is there when it is complete, unless there is one of this number, and takes away what was
   * before it. All processes that try this have the same lines, so it does not matter whose are kept.
   */
  async add(number: number, text: string): Promise<void> {
    const temporary = `${this.pathOf(number)}.${randomUuid()}.tmp`;
    try {
      await writeWhole(temporary, text);
      await link(temporary, this.pathOf(number));
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
    } finally {
      await ignoreMissing(unlink(temporary));
    }
    await this.syncFolder();
    await this.#removeBefore(number);
  }

  /** Whether the file system supports hard links, without which a segment cannot be added safely. */
  async canAdd(number: number): Promise<boolean> {
    const temporary = `${this.pathOf(number)}.${randomUuid()}.tmp`;
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

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', ownersOnly);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function ignoreMissing(removed: Promise<void>): Promise<void> {
  try {
    await removed;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

import { close, fdatasync, fstat, open, read, write, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { hasCode } from '@hexagent/checks';

/**
 * A file that stays open. Unlike a `FileHandle` of Node, it does not end the process with an error when it is collected
 * before the program has closed it.
 */
export class OpenFile {
  readonly #descriptor: number;
  #isClosed = false;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws {Error} for a link, a folder, a pipe or whatever else is there in place of a file, with its path. */
  static async open(path: string, flags: string | number, mode?: number): Promise<OpenFile> {
    const found = await statsOf(path);
    if (found?.isFile() === false) throw new Error(`${path} is ${kindOf(found)}, and must be a file. Remove it.`);
    return await new Promise((resolve, reject) =>
      open(path, flags, mode, (error, descriptor) => (error ? reject(error) : resolve(new OpenFile(descriptor)))),
    );
  }

  /** Reads into the bytes from a position on, and resolves with how many there were. */
  read(into: Buffer, position: number): Promise<number> {
    return new Promise((resolve, reject) =>
      read(this.#descriptor, into, 0, into.length, position, (error, count) =>
        error ? reject(error) : resolve(count),
      ),
    );
  }

  async size(): Promise<number> {
    return (await this.#stats()).size;
  }

  /** Whether the file was deleted: what is written to it then is lost. Not every file system shows that. */
  async isDeleted(): Promise<boolean> {
    return (await this.#stats()).nlink === 0;
  }

  /** @throws {Error} when only a part was written, which then stays. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) =>
      write(this.#descriptor, bytes, (error, written) => {
        if (error) reject(error);
        else if (written < bytes.length) reject(new Error('The disk took only a part of a line.'));
        else resolve();
      }),
    );
  }

  datasync(): Promise<void> {
    return new Promise((resolve, reject) =>
      fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    return new Promise((resolve, reject) => close(this.#descriptor, (error) => (error ? reject(error) : resolve())));
  }

  #stats(): Promise<Stats> {
    return new Promise((resolve, reject) =>
      fstat(this.#descriptor, (error, stats) => (error ? reject(error) : resolve(stats))),
    );
  }
}

/** Of a link, not of what it leads to: opening that may fail as if nothing were there. `undefined` where nothing is. */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

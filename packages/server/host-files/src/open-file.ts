import { close, fdatasync, fstat, open, read, write, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
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
    return new OpenFile(await promisify(open)(path, flags, mode));
  }

  /** Reads into the bytes from a position on, and resolves with how many there were. */
  async read(into: Buffer, position: number): Promise<number> {
    return (await promisify(read)(this.#descriptor, into, 0, into.length, position)).bytesRead;
  }

  async size(): Promise<number> {
    return (await this.#stats()).size;
  }

  /** Whether the file was deleted: what is written to it then is lost. Not every file system shows that. */
  async isDeleted(): Promise<boolean> {
    return (await this.#stats()).nlink === 0;
  }

  /** @throws {Error} when only a part was written, which then stays. */
  async write(bytes: Buffer): Promise<void> {
    const { bytesWritten } = await promisify(write)(this.#descriptor, bytes);
    if (bytesWritten < bytes.length) throw new Error('The disk took only a part of a line.');
  }

  async datasync(): Promise<void> {
    await promisify(fdatasync)(this.#descriptor);
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await promisify(close)(this.#descriptor);
  }

  #stats(): Promise<Stats> {
    return promisify(fstat)(this.#descriptor);
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

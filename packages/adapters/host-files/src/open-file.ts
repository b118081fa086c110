import { close, fdatasync, fstat, open, read, write, type PathLike, type Stats } from 'node:fs';

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

  static open(path: PathLike, flags: string | number, mode?: number): Promise<OpenFile> {
    return new Promise((resolve, reject) =>
      open(path, flags, mode, (error, descriptor) => (error ? reject(error) : resolve(new OpenFile(descriptor)))),
    );
  }

  /** All bytes from a position to the current end of the file. */
  async readFrom(position: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, (await this.size()) - position));
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = await this.#read(bytes.subarray(length), position + length);
    return bytes.subarray(0, length);
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

  #read(into: Buffer, position: number): Promise<number> {
    return new Promise((resolve, reject) =>
      read(this.#descriptor, into, 0, into.length, position, (error, count) =>
        error ? reject(error) : resolve(count),
      ),
    );
  }
}

import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What was written to the output of a command since the last read. */
export interface NewOutput {
  readonly text: string;
  /** How many bytes before it were left out. */
  readonly skippedBytes: number;
  readonly totalBytes: number;
}

/** The most that one read takes. Of a larger piece the end is read. */
export const mostBytes: number = 64 * 1024;

/** A command may put anything in the place of its file: links are not followed, and a pipe does not block. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file that a command writes to, and that the agent removes when the command ends. It stays readable until it is closed. */
export class OutputFile {
  readonly #file: FileHandle;
  #offset = 0;
  #decoder = new TextDecoder();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** `undefined` where there is none, or where it is not a file of this user. */
  static async open(path: string): Promise<OutputFile | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, flags);
      const stats = await file.stat();
      if (stats.isFile() && stats.uid === process.getuid?.()) return new OutputFile(file);
    } catch {
      // It has ended meanwhile, or it cannot be read.
    }
    await file?.close();
    return undefined;
  }

  /** `undefined` where nothing was written. */
  async read(): Promise<NewOutput | undefined> {
    const { size } = await this.#file.stat();
    if (size <= this.#offset) return undefined;
    const from = Math.max(this.#offset, size - mostBytes);
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, from);
    if (bytesRead === 0) return undefined;
    let bytes: Uint8Array = buffer.subarray(0, bytesRead);
    if (from > this.#offset) {
      this.#decoder = new TextDecoder();
      bytes = withoutCutCharacter(bytes);
    }
    const skippedBytes = from + bytesRead - bytes.length - this.#offset;
    this.#offset = from + bytesRead;
    return { text: this.#decoder.decode(bytes, { stream: true }), skippedBytes, totalBytes: this.#offset };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Without the end of a character whose beginning was left out. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  let begin = 0;
  while (begin < 3 && ((bytes[begin] ?? 0) & 0xc0) === 0x80) begin += 1;
  return bytes.subarray(begin);
}

import { open, type FileHandle } from 'node:fs/promises';

const newline = 0x0a;
const blockBytes = 1024 * 1024;

/** A line of a file, without its ending. */
export interface Line {
  /** Valid until the next lines are read. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly place: number;
}

/**
 * The lines of a file, in batches of one read. At most one block, or the longest line, is in memory.
 * @param from where the first line begins
 */
export async function* linesIn(path: string, from = 0): AsyncGenerator<readonly Line[], void, undefined> {
  const file = await open(path);
  try {
    let block = Buffer.allocUnsafeSlow(blockBytes);
    for (let place = from; ;) {
      const bytes = await readAt(file, block, place);
      const lines: Line[] = [];
      for (const line of splitLines(bytes)) {
        lines.push({ bytes: line, place });
        place += line.length + 1;
      }
      const last = bytes.length < block.length ? undefined : lines.pop();
      yield lines;
      if (last === undefined) return;
      // The next block begins with the line that is not complete in this one.
      place = last.place;
      if (lines.length === 0) block = Buffer.allocUnsafeSlow(2 * block.length);
      else if (block.length > blockBytes) block = Buffer.allocUnsafeSlow(blockBytes);
    }
  } finally {
    await file.close();
  }
}

/** Reads from this place into the buffer. */
export async function readAt(file: FileHandle, room: Buffer, place: number): Promise<Buffer> {
  let filled = 0;
  while (filled < room.length) {
    const { bytesRead } = await file.read(room, filled, room.length - filled, place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return room.subarray(0, filled);
}

/** All lines, the last one without an ending. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

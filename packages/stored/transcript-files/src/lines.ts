import { open, type FileHandle } from 'node:fs/promises';

const newline = 0x0a;
const blockBytes = 1024 * 1024;

/** A line of a file, without its ending. */
export interface Line {
  /** Valid until the next lines are read. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly place: number;
  /** Whether the line continues behind these bytes. */
  readonly isCut: boolean;
}

interface LineOptions {
  /** Where the first line begins. */
  readonly from?: number;
  /** Called with the beginning of a line that is longer than a block: `true` where the rest is not needed. */
  readonly isEnough?: (bytes: Buffer) => boolean;
}

/** The lines of a file, in batches of one read. At most one block, or the longest line, is in memory. */
export async function* linesIn(
  path: string,
  options: LineOptions = {},
): AsyncGenerator<readonly Line[], void, undefined> {
  const file = await open(path);
  try {
    yield* blocksOfLines(file, options);
  } finally {
    await file.close();
  }
}

async function* blocksOfLines(
  file: FileHandle,
  { from = 0, isEnough = () => false }: LineOptions,
): AsyncGenerator<readonly Line[], void, undefined> {
  let block = Buffer.allocUnsafeSlow(blockBytes);
  for (let place = from; ;) {
    const bytes = await readAt(file, block, place);
    const isAtEnd = bytes.length < block.length;
    const lines: Line[] = [];
    for (const line of splitLines(bytes)) {
      lines.push({ bytes: line, place, isCut: false });
      place += line.length + 1;
    }
    const last = isAtEnd ? undefined : lines.pop();
    yield lines;
    if (last === undefined) return;
    // The next block begins with the line that is not complete in this one.
    place = last.place;
    if (lines.length > 0) {
      if (block.length > blockBytes) block = Buffer.allocUnsafeSlow(blockBytes);
    } else if (isEnough(bytes)) {
      yield [{ bytes, place, isCut: true }];
      place = await nextLine(file, block, place);
    } else block = Buffer.allocUnsafeSlow(2 * block.length);
  }
}

/** Where the first line begins behind this place. */
async function nextLine(file: FileHandle, block: Buffer, from: number): Promise<number> {
  for (let place = from; ; place += block.length) {
    const bytes = await readAt(file, block, place);
    const found = bytes.indexOf(newline);
    if (found !== -1 || bytes.length < block.length) return place + (found === -1 ? bytes.length : found + 1);
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

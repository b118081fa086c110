import type { OpenFile } from './open-file.ts';

/** How many bytes are read or written at a time: a file may be longer than a buffer or a text can be. */
const pieceBytes = 1024 * 1024;
/** A longer line is neither written nor read. */
export const longestLineBytes: number = 1024 * 1024 * 1024;
const lineBreak = 0x0a;
const brace = 0x7b;

/** A line of a file that may be JSON. */
export interface FileLine {
  readonly text: string;
  /** The position of its first byte. */
  readonly start: number;
  /** The position behind its line break. */
  readonly end: number;
}

/** The lines that ended in a piece of a file. */
export interface LinePiece {
  readonly lines: readonly FileLine[];
  /** The position behind the last line break. */
  readonly end: number;
}

/**
 * The complete lines between two positions, in pieces. Lines that are not objects of JSON, such as those of zeros that a
 * loss of power leaves, are left out without being kept in memory.
 */
export async function* linePieces(file: OpenFile, from: number, to: number): AsyncIterable<LinePiece> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(pieceBytes, to - from)));
  const lines = new LineCollector(from);
  for (let position = from; position < to;) {
    const count = await file.read(buffer.subarray(0, Math.min(buffer.length, to - position)), position);
    if (count === 0) return;
    position += count;
    yield lines.add(buffer.subarray(0, count));
  }
}

/** Joins pieces of a file to lines. */
class LineCollector {
  /** The beginning of the line that has not ended. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isSkipped = false;
  #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  add(bytes: Buffer): LinePiece {
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, start)) {
      lines.push(...this.#end(bytes.subarray(start, end)));
      start = end + 1;
    }
    const end = this.#start;
    this.#keep(bytes.subarray(start));
    return { lines, end };
  }

  #keep(bytes: Buffer): void {
    if (!this.#isLine(bytes)) this.#isSkipped = true;
    if (this.#isSkipped) this.#rest = [];
    // A copy, since the buffer is read into again.
    else this.#rest.push(Buffer.from(bytes));
    this.#restBytes += bytes.length;
  }

  #end(last: Buffer): readonly FileLine[] {
    const text = this.#isSkipped || !this.#isLine(last) ? undefined : toText(Buffer.concat([...this.#rest, last]));
    const start = this.#start;
    const end = start + this.#restBytes + last.length + 1;
    [this.#rest, this.#restBytes, this.#isSkipped, this.#start] = [[], 0, false, end];
    return text === undefined ? [] : [{ text, start, end }];
  }

  /** Whether what came so far may be an object of JSON. */
  #isLine(bytes: Buffer): boolean {
    if (this.#restBytes > 0) return this.#restBytes + bytes.length <= longestLineBytes;
    return bytes.length === 0 || bytes[0] === brace;
  }
}

/** `undefined` for what is longer than a text can be: no line that was written is. */
function toText(bytes: Buffer): string | undefined {
  try {
    return bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/** Joins lines, which have their line breaks, to pieces that can be written: together they may be longer than a text can be. */
export function* toPieces(lines: Iterable<string>): Iterable<Buffer> {
  let piece: string[] = [];
  let length = 0;
  for (const line of lines) {
    piece.push(line);
    length += line.length;
    if (length < pieceBytes) continue;
    yield Buffer.from(piece.join(''));
    [piece, length] = [[], 0];
  }
  if (piece.length > 0) yield Buffer.from(piece.join(''));
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);
/** Smaller pieces are joined on arrival, so that a line which arrives byte by byte does not take one object per byte. */
const smallPieceBytes = 64 * 1024;

export interface LineSplitterOptions {
  /** How long a line may be, without its ending. Default 256 MB. */
  readonly maxLineBytes?: number | undefined;
  /** Decodes UTF-8, and keeps a byte order mark. Default: a `TextDecoder`. */
  readonly decode?: ((bytes: Uint8Array) => string) | undefined;
}

/**
 * Splits a stream of bytes into lines. An incomplete line is stored as bytes, so that a character which two reads share
 * stays whole, and a line takes memory and time in proportion to its length.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #decode: (bytes: Uint8Array) => string;
  /** The start of a line whose end has not arrived. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #isTooLong = false;

  constructor({ maxLineBytes = 256 * 1024 * 1024, decode = decodeUtf8 }: LineSplitterOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
    this.#decode = decode;
  }

  /** `true` once a line exceeded `maxLineBytes`, complete or not. From then on nothing is returned or stored. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Returns the lines that these bytes complete, in order. */
  push(bytes: Uint8Array): readonly string[] {
    const isShort = this.#pieceBytes + bytes.length <= this.#maxLineBytes && !this.#isTooLong;
    const accepted = isShort ? bytes : this.#accept(bytes);
    const end = accepted.lastIndexOf(newline) + 1;
    const lines = end === 0 ? [] : this.#split(accepted.subarray(0, end));
    this.#keep(accepted.subarray(end));
    return lines;
  }

  /** The incomplete last line; empty when the last line was complete. */
  remainder(): string {
    const decode = this.#decode;
    return decode(concat(this.#pieces));
  }

  /** Drops the first line that is too long, and everything after it. */
  #accept(bytes: Uint8Array): Uint8Array {
    if (this.#isTooLong) return bytes.subarray(0, 0);
    let kept = this.#pieceBytes;
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(newline, start);
      const end = found === -1 ? bytes.length : found;
      if (kept + end - start > this.#maxLineBytes) return this.#cutOff(bytes.subarray(0, start));
      kept = 0;
      start = end + 1;
    }
    return bytes;
  }

  #cutOff(before: Uint8Array): Uint8Array {
    this.#isTooLong = true;
    // No line was completed, so the stored pieces are the start of the line that is too long.
    if (before.length === 0) this.#drop();
    return before;
  }

  /** Splits whole lines, each with its ending; the first one may have begun in an earlier read. */
  #split(bytes: Uint8Array): readonly string[] {
    const decode = this.#decode;
    const text = decode(bytes);
    const lines = text.split('\n');
    lines.pop();
    if (this.#pieceBytes === 0) return text.includes('\r') ? lines.map(withoutReturn) : lines;
    const first = concat([...this.#pieces, bytes.subarray(0, bytes.indexOf(newline))]);
    // Dropped before the text is decoded: otherwise three copies of a long line are in memory at once.
    this.#drop();
    lines[0] = decode(first);
    return text.includes('\r') || endsWithReturn(lines[0]) ? lines.map(withoutReturn) : lines;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieceBytes += bytes.length;
    let piece = bytes;
    // As in a binary counter, a piece is joined with the previous one once it is as large, so each byte is copied a few times at most.
    for (;;) {
      const before = this.#pieces.at(-1);
      if (before === undefined || before.length > piece.length || before.length >= smallPieceBytes) break;
      this.#pieces.pop();
      piece = concat([before, piece]);
    }
    this.#pieces.push(piece);
  }

  #drop(): void {
    this.#pieces = [];
    this.#pieceBytes = 0;
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

function endsWithReturn(line = ''): boolean {
  return line.charCodeAt(line.length - 1) === carriageReturn;
}

function withoutReturn(line: string): string {
  return endsWithReturn(line) ? line.slice(0, -1) : line;
}

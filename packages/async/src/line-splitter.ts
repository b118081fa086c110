const newline = 0x0a;
const carriageReturn = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Smaller pieces are joined as they come, so that a line that comes byte by byte costs no object per byte. */
const smallPieceBytes = 64 * 1024;

export interface LineSplitterOptions {
  /** How long a line may be, without its ending. Default 256 MB. */
  readonly maxLineBytes?: number | undefined;
}

/**
 * Cuts a stream of bytes into lines. What belongs to no whole line yet is kept as the bytes that came, so that characters
 * stay whole wherever a read cuts them, and a line costs memory and time in proportion to its length.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  /** The start of a line whose end is still to come. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #isTooLong = false;

  constructor({ maxLineBytes = 256 * 1024 * 1024 }: LineSplitterOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** `true` once a line was longer than it may be, ended or not. From then on nothing is returned and nothing kept. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** The lines that this read completed, in order. */
  push(bytes: Uint8Array): readonly string[] {
    const accepted = this.#accept(bytes);
    const last = accepted.lastIndexOf(newline);
    if (last === -1) {
      this.#keep(accepted);
      return [];
    }
    const lines = this.#split(accepted.subarray(0, last));
    // Most reads end with a line, and an empty view costs as much as any other.
    if (last + 1 < accepted.length) this.#keep(accepted.subarray(last + 1));
    return lines;
  }

  /** What is left without a line's end; empty when the last line was ended. */
  rest(): string {
    return decoder.decode(concat(this.#pieces));
  }

  /** Cuts off the first line that is too long, and everything after it. */
  #accept(bytes: Uint8Array): Uint8Array {
    if (this.#isTooLong) return bytes.subarray(0, 0);
    // Only a read that could complete or continue such a line is searched.
    if (this.#pieceBytes + bytes.length <= this.#maxLineBytes) return bytes;
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
    // Nothing was completed, so what is kept is the start of the line that is too long.
    if (before.length === 0) this.#drop();
    return before;
  }

  /** Splits whole lines, of which the first may have begun in earlier reads. */
  #split(bytes: Uint8Array): readonly string[] {
    const text = decoder.decode(bytes);
    const lines = text.split('\n');
    if (this.#pieceBytes > 0) {
      const end = bytes.indexOf(newline);
      const first = concat([...this.#pieces, end === -1 ? bytes : bytes.subarray(0, end)]);
      // Let go before the text is made, or a long line would be here three times.
      this.#drop();
      lines[0] = decoder.decode(first);
    }
    return text.includes('\r') || endsWithReturn(lines[0]) ? lines.map(withoutReturn) : lines;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieceBytes += bytes.length;
    let piece = bytes;
    // As in a binary counter, a piece is joined with the one before it once it is as large: a byte is copied a few times at most.
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

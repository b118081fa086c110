const newline = 0x0a;
const carriageReturn = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Cuts a stream of bytes into lines. Characters split between reads stay whole, since bytes are decoded only up to a
 * line's end; a line of any length costs time in proportion, since its pieces are joined once.
 */
export class LineSplitter {
  #pieces: Uint8Array[] = [];

  /** The lines that this read completed, in order. */
  push(bytes: Uint8Array): readonly string[] {
    const last = bytes.lastIndexOf(newline);
    if (last === -1) {
      if (bytes.length > 0) this.#pieces.push(bytes);
      return [];
    }
    const rest = bytes.subarray(last + 1);
    const text = decoder.decode(this.#join(bytes.subarray(0, last)));
    this.#pieces = rest.length > 0 ? [rest] : [];
    return text.includes('\r') ? text.split('\n').map(withoutReturn) : text.split('\n');
  }

  /** What is left without a line's end; empty when the last line was ended. */
  rest(): string {
    return decoder.decode(this.#join(new Uint8Array(0)));
  }

  #join(tail: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return tail;
    const pieces = [...this.#pieces, tail];
    const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let offset = 0;
    for (const piece of pieces) {
      whole.set(piece, offset);
      offset += piece.length;
    }
    return whole;
  }
}

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === carriageReturn ? line.slice(0, -1) : line;
}

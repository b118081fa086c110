const newline = 0x0a;
const carriageReturn = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const nothing = new Uint8Array(0);

/**
 * Cuts a stream of bytes into lines. Characters split between reads stay whole, since the bytes of an unfinished one
 * wait for the next read; a line of any length costs time in proportion, since what was read is not looked at again.
 */
export class LineSplitter {
  /** The line that is not complete yet. The engine keeps it in pieces and joins them once, when somebody looks inside. */
  #open = '';
  /** The bytes of a character whose last ones are still to come: at most three. */
  #unfinished: Uint8Array = nothing;

  /** The lines that this read completed, in order. */
  push(bytes: Uint8Array): readonly string[] {
    const last = bytes.lastIndexOf(newline);
    if (last === -1) {
      this.#keep(bytes);
      return [];
    }
    const text = decoder.decode(this.#join(bytes.subarray(0, last)));
    const lines = text.split('\n');
    const [first = ''] = lines;
    lines[0] = first === '' ? withoutReturn(this.#open) : this.#open + first;
    this.#open = '';
    this.#unfinished = nothing;
    // Most reads end with a line, and an empty view costs as much as any other.
    if (last + 1 < bytes.length) this.#keep(bytes.subarray(last + 1));
    return text.includes('\r') ? lines.map(withoutReturn) : lines;
  }

  /** What is left without a line's end; empty when the last line was ended. */
  rest(): string {
    return this.#open + decoder.decode(this.#unfinished);
  }

  #keep(bytes: Uint8Array): void {
    const joined = this.#join(bytes);
    const whole = wholeCharacters(joined);
    this.#open += decoder.decode(joined.subarray(0, whole));
    // Copied, because three bytes would keep alive the whole block that they were read into.
    this.#unfinished = whole < joined.length ? joined.slice(whole) : nothing;
  }

  #join(bytes: Uint8Array): Uint8Array {
    if (this.#unfinished.length === 0) return bytes;
    const joined = new Uint8Array(this.#unfinished.length + bytes.length);
    joined.set(this.#unfinished);
    joined.set(bytes, this.#unfinished.length);
    return joined;
  }
}

/** How many of the bytes do not belong to a character that is cut off at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    // The first byte of a character says how many there are; the others begin with the bits 10.
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
  }
  return length;
}

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === carriageReturn ? line.slice(0, -1) : line;
}

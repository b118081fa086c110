const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** How much a JSON text may have. */
export interface JsonStructure {
  /** How many values, lists and names of members included. */
  readonly values: number;
  /** How deep lists and objects may be nested. */
  readonly depth: number;
}

/**
 * Counts the values and the depth of a JSON text while its bytes arrive. Parsing holds the event loop in proportion to these:
 * 1 MB of nested lists or of names takes many times as long as 1 MB of text.
 */
export class JsonScan {
  readonly #limits: JsonStructure;
  #values = 0;
  #depth = 0;
  #deepest = 0;
  #isInText = false;
  #isEscaped = false;

  constructor({ values, depth }: JsonStructure) {
    this.#limits = { values, depth };
  }

  /** Which limit the text has passed, if any. Text that is not JSON may pass none, and fails when it is parsed. */
  add(bytes: Uint8Array): keyof JsonStructure | undefined {
    for (const byte of bytes) {
      if (this.#isInText) this.#addOfText(byte);
      else if (byte === quote) this.#isInText = true;
      else if (byte === comma || byte === colon) this.#values += 1;
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
    }
    if (this.#deepest > this.#limits.depth) return 'depth';
    return this.#values > this.#limits.values ? 'values' : undefined;
  }

  #addOfText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
  }
}

import { isPlainText, textAt } from './json-bytes.ts';

/**
 * Texts by their numbers, which count up from 0. They are held as bytes, since a string takes three times as much, and is made only
 * where one is asked for.
 */
export class TextList {
  #count = 0;
  /** Where each text ends in the bytes; it begins where the one before it ends. */
  #ends: Uint32Array = new Uint32Array(1024);
  #bytes: Buffer = Buffer.allocUnsafeSlow(32 * 1024);
  /** Texts of other alphabets and with characters that JSON escapes, which few are. They have no bytes. */
  readonly #others = new Map<number, string>();

  get count(): number {
    return this.#count;
  }

  /** The number of the string that is here, with its quotes; `undefined` for what is no text. */
  addAt(bytes: Buffer, start: number, end: number): number | undefined {
    if (isPlainText(bytes, start, end)) return this.addBytes(bytes, start + 1, end - 1);
    const text = textAt(bytes, start, end);
    return text === undefined ? undefined : this.addOther(text);
  }

  /** Adds a plain text. */
  addBytes(bytes: Buffer, start: number, end: number): number {
    const number = this.#add(end - start);
    const texts = this.#bytes;
    // Short texts, for which a call takes longer than the bytes.
    for (let from = start, to = this.#startOf(number); from < end; from += 1, to += 1) texts[to] = bytes[from] ?? 0;
    return number;
  }

  addOther(text: string): number {
    const number = this.#add(0);
    this.#others.set(number, text);
    return number;
  }

  text(number: number): string {
    return this.#others.get(number) ?? this.#bytes.toString('latin1', this.#startOf(number), this.#ends[number]);
  }

  /** Whether the text of a number is plain and these bytes. */
  isText(number: number, bytes: Buffer, start: number, end: number): boolean {
    const own = this.#startOf(number);
    const length = end - start;
    if ((this.#ends[number] ?? 0) - own !== length || (length === 0 && this.#others.has(number))) return false;
    const texts = this.#bytes;
    // From the end: uuids that are made one after the other begin alike.
    for (let index = length - 1; index >= 0; index -= 1) if (bytes[start + index] !== texts[own + index]) return false;
    return true;
  }

  hashOf(number: number): number {
    return hashOf(this.#bytes, this.#startOf(number), this.#ends[number] ?? 0);
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  #add(size: number): number {
    const number = this.#count;
    const end = this.#startOf(number) + size;
    if (number === this.#ends.length) {
      const ends = new Uint32Array(number * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    if (end > this.#bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(end * 2);
      this.#bytes.copy(bytes);
      this.#bytes = bytes;
    }
    this.#ends[number] = end;
    this.#count += 1;
    return number;
  }
}

/** A number for a text that another text seldom has. Of four bytes at a time, since each step waits for the one before. */
export function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = end - start;
  let index = start;
  for (; index + 3 < end; index += 4) hash = mixed(hash, wordAt(bytes, index));
  for (; index < end; index += 1) hash = mixed(hash, bytes[index] ?? 0);
  // The lower bits decide where it is stored.
  return hash ^ (hash >>> 15);
}

const mixed = (hash: number, word: number): number => Math.imul(hash ^ (hash >>> 13) ^ word, 0x5bd1e995);

const wordAt = (bytes: Buffer, index: number): number =>
  (bytes[index] ?? 0) |
  ((bytes[index + 1] ?? 0) << 8) |
  ((bytes[index + 2] ?? 0) << 16) |
  ((bytes[index + 3] ?? 0) << 24);

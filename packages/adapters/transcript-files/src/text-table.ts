import { isPlainText, textAt } from './json-bytes.ts';
import { hashOf, TextList } from './text-list.ts';

const empty = -1;

/** Gives texts numbers: the same text, the same number. */
export class TextTable {
  readonly #texts = new TextList();
  /** Numbers of plain texts, by their hash: twice as many places as there are texts, or more. */
  #slots: Int32Array = new Int32Array(2048).fill(empty);
  readonly #others = new Map<string, number>();

  get count(): number {
    return this.#texts.count;
  }

  /** The number of the string that is here, with its quotes; `undefined` for what is no text. */
  addAt(bytes: Buffer, start: number, end: number): number | undefined {
    if (isPlainText(bytes, start, end)) return this.#addBytes(bytes, start + 1, end - 1);
    const text = textAt(bytes, start, end);
    return text === undefined ? undefined : this.add(text);
  }

  add(text: string): number {
    const bytes = bytesOf(text);
    if (bytes !== undefined) return this.#addBytes(bytes, 1, bytes.length - 1);
    const number = this.#others.get(text) ?? this.#texts.addOther(text);
    this.#others.set(text, number);
    return number;
  }

  /** Whether this is the number of the string that is here, without a search for it. */
  isAt(number: number, bytes: Buffer, start: number, end: number): boolean {
    return this.#texts.isText(number, bytes, start + 1, end - 1);
  }

  /** `undefined` for a text that was never added. */
  find(text: string): number | undefined {
    const bytes = bytesOf(text);
    if (bytes === undefined) return this.#others.get(text);
    const number = this.#slots[this.#slotOf(bytes, 1, bytes.length - 1)] ?? empty;
    return number === empty ? undefined : number;
  }

  text(number: number): string {
    return this.#texts.text(number);
  }

  #addBytes(bytes: Buffer, start: number, end: number): number {
    const slot = this.#slotOf(bytes, start, end);
    const known = this.#slots[slot] ?? empty;
    if (known !== empty) return known;
    const number = this.#texts.addBytes(bytes, start, end);
    this.#slots[slot] = number;
    if (this.count * 2 > this.#slots.length) this.#growSlots();
    return number;
  }

  /** Where the number of these bytes is, or would be. */
  #slotOf(bytes: Buffer, start: number, end: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hashOf(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? empty;
      if (number === empty || this.#texts.isText(number, bytes, start, end)) return slot;
    }
  }

  /** No other text has the same, so none has to be compared. */
  #freeSlot(number: number): number {
    const mask = this.#slots.length - 1;
    let slot = this.#texts.hashOf(number) & mask;
    while (this.#slots[slot] !== empty) slot = (slot + 1) & mask;
    return slot;
  }

  #growSlots(): void {
    const numbers = this.#slots;
    this.#slots = new Int32Array(numbers.length * 2).fill(empty);
    for (const number of numbers) if (number !== empty) this.#slots[this.#freeSlot(number)] = number;
  }
}

/** The bytes of a text within quotes; `undefined` where they are not those that stand in JSON. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(`"${text}"`);
  return isPlainText(bytes, 0, bytes.length) ? bytes : undefined;
}

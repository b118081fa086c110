import type { ChatLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values and the depth of a JSON text while its bytes arrive. Parsing holds the event loop in proportion to these:
 * 1 MB of nested lists or of names takes many times as long as 1 MB of text.
 */
export class StructureScan {
  readonly #limits: Pick<ChatLimits, 'values' | 'depth'>;
  #values = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(limits: Pick<ChatLimits, 'values' | 'depth'>) {
    this.#limits = limits;
  }

  /** @throws {Refusal} where there is more than the limits allow. Text that is not JSON may pass, and fails when it is parsed. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInText) this.#addOfText(byte);
      else if (byte === quote) this.#isInText = true;
      else if (byte === comma || byte === colon) this.#values += 1;
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
    }
    const { values } = this.#limits;
    if (this.#values > values) throw new Refusal('BODY_TOO_LARGE', `The body has more than ${values} values.`);
  }

  #addOfText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    const { depth } = this.#limits;
    if (this.#depth > depth) throw new Refusal('BAD_REQUEST', `The body is nested more than ${depth} deep.`);
  }
}

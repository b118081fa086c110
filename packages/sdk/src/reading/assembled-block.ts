import { isRecord } from '@hexagent/checks';
import type { ContentBlock } from '@hexagent/ports';
import type { SnapshotBlock } from './message-snapshot.ts';
import { parsePartialJson } from './partial-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A block of an answer while it arrives: in pieces, as a whole, or in pieces and then as a whole. */
export class AssembledBlock {
  /** The uuid of the message that had it as a whole. */
  uuid: string | undefined;
  #block: Fields;
  #pieces = '';
  #isComplete = false;
  #snapshot: SnapshotBlock | undefined;

  constructor(block: Fields) {
    this.#block = block;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get snapshot(): SnapshotBlock {
    return (this.#snapshot ??= this.#toSnapshot());
  }

  /** Whether a whole block is this one. */
  isSame({ type, id }: Fields): boolean {
    return this.uuid === undefined && this.#block['type'] === type && this.#block['id'] === id;
  }

  /** Returns whether anything changed. */
  append({ text, thinking, partial_json: json }: Fields): boolean {
    const piece = text ?? thinking ?? json;
    if (typeof piece !== 'string' || piece === '' || this.#isComplete) return false;
    this.#pieces += piece;
    this.#snapshot = undefined;
    return true;
  }

  /** All has arrived. Returns whether anything changed. */
  complete(): boolean {
    if (this.#isComplete) return false;
    this.#isComplete = true;
    this.#snapshot = undefined;
    return true;
  }

  completeWith(block: Fields, uuid: string): void {
    this.#block = block;
    this.#pieces = '';
    this.#isComplete = true;
    this.#snapshot = undefined;
    this.uuid = uuid;
  }

  #toSnapshot(): SnapshotBlock {
    const [block, pieces, isComplete] = [this.#block, this.#pieces, this.#isComplete];
    const { type, id, name, input } = block;
    if (type === 'text') return { type, text: stringOf(block[type]) + pieces, isComplete };
    if (type === 'thinking') return { type, thinking: stringOf(block[type]) + pieces, isComplete };
    if (type !== 'tool_use') return { type: 'other', block: block as object as ContentBlock, isComplete }; // as the agent sent it
    let parsed: Fields | undefined;
    return {
      type,
      id: stringOf(id),
      name: stringOf(name),
      isComplete,
      // Parsed when it is read: doing it for each piece of a long input would take the square of its length.
      get input() {
        return (parsed ??= recordOf(pieces === '' ? input : parsePartialJson(pieces)));
      },
    };
  }
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

import type { UiChunk } from './ui-chunk.ts';

/** A piece of a text, of reasoning or of the input of a call. */
export type DeltaChunk = Extract<UiChunk, { readonly type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** The deltas of one part, which can be read from any place as one delta. */
export class DeltaRun {
  #first: DeltaChunk | undefined;
  /** Apart from the last characters: a part of a text that grows is copied as a whole when it is read. */
  #text = '';
  #last = '';

  get length(): number {
    return this.#text.length + this.#last.length;
  }

  append(chunk: DeltaChunk): void {
    this.#first ??= chunk;
    this.#last += chunk.type === 'tool-input-delta' ? chunk.inputTextDelta : chunk.delta;
    if (this.#last.length < 4096) return;
    this.#text += this.#last;
    this.#last = '';
  }

  /** All from `offset` on. */
  from(offset: number): DeltaChunk | undefined {
    const first = this.#first;
    if (first === undefined || offset >= this.length) return undefined;
    const before = this.#text.length;
    const text = offset < before ? this.#text.slice(offset) + this.#last : this.#last.slice(offset - before);
    return first.type === 'tool-input-delta' ? { ...first, inputTextDelta: text } : { ...first, delta: text };
  }
}

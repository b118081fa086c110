import type { UiChunk } from './ui-chunk.ts';

/** A piece of a text, of reasoning or of the input of a call. */
export type DeltaChunk = Extract<UiChunk, { readonly type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** The deltas of one part, which can be read from any place as one delta. */
export class DeltaRun {
  #first: DeltaChunk | undefined;
  #text = '';

  get length(): number {
    return this.#text.length;
  }

  append(chunk: DeltaChunk): void {
    this.#first ??= chunk;
    this.#text += chunk.type === 'tool-input-delta' ? chunk.inputTextDelta : chunk.delta;
  }

  /** All from `offset` on. */
  from(offset: number): DeltaChunk | undefined {
    const first = this.#first;
    if (first === undefined || offset >= this.length) return undefined;
    const text = this.#text.slice(offset);
    return first.type === 'tool-input-delta' ? { ...first, inputTextDelta: text } : { ...first, delta: text };
  }
}

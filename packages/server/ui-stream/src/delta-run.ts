import type { UiChunk } from './ui-chunk.ts';

/** A piece of a text, of reasoning or of the input of a call. */
export type DeltaChunk = Extract<UiChunk, { readonly type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** After so many pieces they become one text. */
const mostPieces = 64;

/** The deltas of one part, which can be read from any place as one delta. */
export class DeltaRun {
  #first: DeltaChunk | undefined;
  #joined = '';
  #pieces: DeltaChunk[] = [];
  #starts: number[] = [];
  #length = 0;
  /** What was read last: readers that keep up all read the same. */
  #last: { readonly offset: number; readonly length: number; readonly chunk: DeltaChunk } | undefined;

  get length(): number {
    return this.#length;
  }

  append(chunk: DeltaChunk): void {
    this.#first ??= chunk;
    this.#pieces.push(chunk);
    this.#starts.push(this.#length);
    this.#length += textOf(chunk).length;
    if (this.#pieces.length >= mostPieces) this.join();
  }

  /** Keeps one text in the place of its pieces. */
  join(): void {
    this.#joined += this.#pieces.map(textOf).join('');
    this.#pieces = [];
    this.#starts = [];
  }

  /** All from `offset` on. For a reader that lacks only the last piece, the very chunk that was pushed. */
  from(offset: number): DeltaChunk | undefined {
    const first = this.#first;
    if (first === undefined || offset >= this.#length) return undefined;
    const index = this.#starts.lastIndexOf(offset);
    const [only, ...more] = index === -1 ? [] : this.#pieces.slice(index);
    if (only !== undefined && more.length === 0) return only;
    if (this.#last?.offset === offset && this.#last.length === this.#length) return this.#last.chunk;
    const pieces = (index === -1 ? this.#pieces : this.#pieces.slice(index)).map(textOf).join('');
    const chunk = withText(first, index === -1 ? this.#joined.slice(offset) + pieces : pieces);
    this.#last = { offset, length: this.#length, chunk };
    return chunk;
  }
}

function textOf(chunk: DeltaChunk): string {
  return chunk.type === 'tool-input-delta' ? chunk.inputTextDelta : chunk.delta;
}

function withText(chunk: DeltaChunk, text: string): DeltaChunk {
  return chunk.type === 'tool-input-delta' ? { ...chunk, inputTextDelta: text } : { ...chunk, delta: text };
}

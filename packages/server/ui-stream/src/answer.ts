import type { JsonObject } from './ui-data.ts';
import type { UiChunk, UiCitation } from './ui-chunk.ts';

/** The two kinds of text in an answer. */
export type ProseKind = 'text' | 'reasoning';

/** Fields that are added to a text when it is complete. */
export interface ProseEnd {
  readonly citations?: UiCitation[] | undefined;
  /** What the model's service adds to its reasoning. */
  readonly signature?: JsonObject | undefined;
}

/** The answer as far as it was emitted: its steps, its open texts, and what the running step is made of. */
export class Answer {
  #chunks: UiChunk[] = [];
  #step: string | undefined;
  /** All of the running step was taken back, so that the next message of the model has it. */
  #isStepFree = false;
  /** The running step without its deltas, which `abandon` emits again. */
  #log: UiChunk[] = [];
  readonly #open = new Map<string, { readonly kind: ProseKind; text: string }>();

  emit(chunk: UiChunk): void {
    this.#chunks.push(chunk);
    if (!('transient' in chunk)) this.#log.push(chunk);
  }

  /** Emits a piece of something that is emitted whole when it is complete. */
  emitPiece(chunk: UiChunk): void {
    this.#chunks.push(chunk);
  }

  /** Returns the chunks since the last call. */
  take(): readonly UiChunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Begins the step of this message of the model, unless it runs. */
  beginStep(messageId: string): void {
    if (this.#step === messageId) return;
    if (this.#isStepFree) {
      this.#isStepFree = false;
      this.#step = messageId;
      return;
    }
    this.endStep();
    this.#step = messageId;
    this.#chunks.push({ type: 'start-step' });
    this.#log = [];
  }

  endStep(): void {
    if (this.#step === undefined) return;
    this.closeAll();
    this.#step = undefined;
    this.#isStepFree = false;
    this.#chunks.push({ type: 'finish-step' });
  }

  openProse(kind: ProseKind, id: string): void {
    this.#open.set(id, { kind, text: '' });
    this.emit({ type: `${kind}-start`, id });
  }

  appendProse(id: string, delta: string): void {
    const prose = this.#open.get(id);
    if (prose === undefined || delta === '') return;
    prose.text += delta;
    this.#chunks.push({ type: `${prose.kind}-delta`, id, delta });
  }

  closeProse(id: string, { citations, signature }: ProseEnd = {}): void {
    const prose = this.#open.get(id);
    if (prose === undefined) return;
    this.#open.delete(id);
    const { kind, text } = prose;
    if (text !== '') this.#log.push({ type: `${kind}-delta`, id, delta: text });
    if (kind === 'text') this.emit({ type: 'text-end', id, ...(citations && { citations }) });
    else this.emit({ type: 'reasoning-end', id, ...(signature && { providerMetadata: { anthropic: signature } }) });
  }

  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.closeProse(id);
  }

  /** Takes parts of the running step back: a step can only be emptied as a whole, so the others are emitted again. */
  abandon(ids: ReadonlySet<string>): void {
    this.closeAll();
    const kept = this.#log.filter((chunk) => !ids.has(partOf(chunk)));
    if (kept.length === this.#log.length) return;
    this.#log = [...kept];
    this.#isStepFree = kept.length === 0;
    this.#chunks.push({ type: 'reset-step' }, ...kept);
  }
}

function partOf(chunk: UiChunk): string {
  if ('toolCallId' in chunk) return chunk.toolCallId;
  return 'id' in chunk ? (chunk.id ?? '') : '';
}

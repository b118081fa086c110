import { microtasks } from '../microtasks.ts';
import type { Interruption } from './interruption.ts';
import type { SaidPieces } from './script.ts';
import type { Session } from './session.ts';

/** One content block of an answer, with the way it arrives. */
export interface SpokenBlock {
  readonly kind: 'text' | 'thinking' | 'tool_use';
  readonly pieces: SaidPieces;
  /** The whole block, made from what was said. */
  whole(said: string): object;
  /** Called when the block is complete: the CLI acts on it while the model goes on. */
  act?(): void;
}

export interface SpokenAnswer {
  readonly blocks: readonly SpokenBlock[];
  readonly stopReason: 'end_turn' | 'tool_use';
  /** `user_message_uuid` and the list of them: on the first block of the first answer. Recording h-partial-two-tools. */
  readonly marks: object;
  /** The list alone. */
  readonly list: object;
}

/** Writes one answer of the model, block by block. Recordings 02 and 30-partial-messages-text-thinking-tool. */
export class ModelAnswer {
  readonly #session: Session;
  readonly #interruption: Interruption;
  readonly #answer: SpokenAnswer;
  readonly #id: string;
  readonly #partial: boolean;
  #index = 0;
  #said = '';

  constructor(session: Session, interruption: Interruption, answer: SpokenAnswer) {
    this.#session = session;
    this.#interruption = interruption;
    this.#answer = answer;
    this.#id = session.messageId();
    this.#partial = session.launch.args.includes('--include-partial-messages');
  }

  /** Returns its last text. @throws {Interrupted} where it stands. */
  async speak(): Promise<string> {
    this.#session.countAnswer();
    if (this.#partial) this.#session.status({ status: 'requesting', ...this.#answer.list });
    this.#event({ type: 'message_start', message: this.#emptyMessage() }, this.#answer.marks);
    let lastText = '';
    for (const block of this.#answer.blocks) {
      await this.#speakBlock(block);
      if (block.kind === 'text') lastText = this.#said;
      this.#index += 1;
      block.act?.();
      // The CLI has acted on a block long before the model's next one is there. Recordings 03, 37.
      if (block.act) await microtasks(20);
    }
    this.#endMessage(this.#answer.stopReason);
    return lastText;
  }

  /** What was said of the block that is cut off; the text is what the CLI keeps of it. Recording 21-interrupt-during-stream. */
  breakOff(): string {
    const block = this.#answer.blocks[this.#index];
    if (block === undefined || block.kind === 'tool_use' || this.#said === '') return '';
    this.#assistant(block.whole(this.#said), { aborted: true });
    return this.#said;
  }

  /** The rest of a stream that was cut off. Recording h-interrupt-streaming-partial. */
  endBrokenStream(): void {
    this.#event({ type: 'content_block_stop', index: this.#index });
    this.#endMessage(null);
  }

  async #speakBlock(block: SpokenBlock): Promise<void> {
    this.#said = '';
    const index = this.#index;
    this.#event({ type: 'content_block_start', index, content_block: emptyBlock(block) });
    for (const piece of typeof block.pieces === 'string' ? [block.pieces] : block.pieces) {
      if (typeof piece !== 'string') {
        await this.#interruption.speaking(piece.pass());
        continue;
      }
      this.#said += piece;
      this.#event({ type: 'content_block_delta', index, delta: deltaOf(block, piece) });
    }
    this.#interruption.check();
    if (block.kind === 'thinking') {
      this.#event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'sig' } });
    }
    this.#assistant(block.whole(this.#said));
    this.#event({ type: 'content_block_stop', index });
  }

  #assistant(block: object, fields: object = {}): void {
    const marks = this.#index === 0 ? this.#answer.marks : {};
    this.#session.assistant(this.#id, block, { ...fields, ...marks });
  }

  #endMessage(stopReason: string | null): void {
    this.#event({
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 5 },
    });
    this.#event({ type: 'message_stop' });
  }

  #event(event: object, marks: object = {}): void {
    if (!this.#partial) return;
    this.#session.write({ type: 'stream_event', event, parent_tool_use_id: null, api_message_id: this.#id, ...marks });
  }

  #emptyMessage(): object {
    const usage = { input_tokens: 10, output_tokens: 1 };
    return {
      id: this.#id,
      type: 'message',
      role: 'assistant',
      model: this.#session.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
  }
}

function emptyBlock({ kind, whole }: SpokenBlock): object {
  if (kind === 'tool_use') return { ...whole(''), input: {} };
  return whole('');
}

function deltaOf({ kind }: SpokenBlock, piece: string): object {
  if (kind === 'text') return { type: 'text_delta', text: piece };
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: piece };
  return { type: 'input_json_delta', partial_json: piece };
}

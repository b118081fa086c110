import { microtasks } from '../microtasks.ts';
import type { Interruption } from './interruption.ts';
import type { TextPieces } from './script.ts';
import type { Session } from './session.ts';

/** One content block of an answer, with its deltas. */
export interface ModelBlock {
  readonly kind: 'text' | 'thinking' | 'tool_use';
  readonly pieces: TextPieces;
  /** The whole block, made from its text. */
  whole(written: string): object;
  /** Called when the block is complete: the CLI acts on it while the model continues. */
  act?(): void;
}

export interface ModelReply {
  readonly blocks: readonly ModelBlock[];
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
  readonly #answer: ModelReply;
  readonly #id: string;
  readonly #partial: boolean;
  #index = 0;
  #written = '';

  constructor(session: Session, interruption: Interruption, answer: ModelReply) {
    this.#session = session;
    this.#interruption = interruption;
    this.#answer = answer;
    this.#id = session.messageId();
    this.#partial = session.launch.args.includes('--include-partial-messages');
  }

  /** Returns its last text. @throws {Interrupted} when it is interrupted. */
  async write(): Promise<string> {
    this.#session.countAnswer();
    this.#session.requesting(this.#answer.list);
    this.#event({ type: 'message_start', message: this.#emptyMessage() }, this.#answer.marks);
    let lastText = '';
    for (const block of this.#answer.blocks) {
      await this.#streamBlock(block);
      if (block.kind === 'text') lastText = this.#written;
      this.#index += 1;
      block.act?.();
      // The CLI acts on a block before the model's next one arrives. Recordings 03, 37.
      if (block.act) await microtasks(20);
    }
    this.#endMessage(this.#answer.stopReason);
    return lastText;
  }

  /** The incomplete block; the CLI keeps its text. Recording 21-interrupt-during-stream. */
  breakOff(): string {
    const block = this.#answer.blocks[this.#index];
    if (block === undefined || block.kind === 'tool_use' || this.#written === '') return '';
    this.#assistant(block.whole(this.#written), { aborted: true });
    return this.#written;
  }

  /** The rest of a stream that was cut off. Recording h-interrupt-streaming-partial. */
  endBrokenStream(): void {
    this.#event({ type: 'content_block_stop', index: this.#index });
    this.#endMessage(null);
  }

  async #streamBlock(block: ModelBlock): Promise<void> {
    this.#written = '';
    const index = this.#index;
    this.#event({ type: 'content_block_start', index, content_block: emptyBlock(block) });
    for (const piece of typeof block.pieces === 'string' ? [block.pieces] : block.pieces) {
      if (typeof piece !== 'string') {
        await this.#interruption.stoppable(piece.pass());
        continue;
      }
      this.#written += piece;
      if (block.kind === 'thinking') this.#estimate(piece);
      this.#event({ type: 'content_block_delta', index, delta: deltaOf(block, piece) });
    }
    this.#interruption.check();
    if (block.kind === 'thinking') {
      this.#event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'sig' } });
    }
    this.#assistant(block.whole(this.#written));
    this.#event({ type: 'content_block_stop', index });
  }

  /** Recording 30-partial-messages-text-thinking-tool: about four letters are a token. */
  #estimate(piece: string): void {
    const estimated_tokens_delta = Math.ceil(piece.length / 4);
    const estimated_tokens = Math.ceil(this.#written.length / 4);
    this.#session.system('thinking_tokens', { estimated_tokens, estimated_tokens_delta });
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

function emptyBlock({ kind, whole }: ModelBlock): object {
  if (kind === 'tool_use') return { ...whole(''), input: {} };
  return whole('');
}

function deltaOf({ kind }: ModelBlock, piece: string): object {
  if (kind === 'text') return { type: 'text_delta', text: piece };
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: piece };
  return { type: 'input_json_delta', partial_json: piece };
}

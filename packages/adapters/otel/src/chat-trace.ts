import { SpanKind, trace, type Attributes, type Context, type Span } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import { messageText, partsOf, type Part } from './content.ts';
import { completed, endSpan, type Ending } from './ending.ts';
import { commonOf, type Kit } from './kit.ts';
import { genAi } from './names.ts';

export interface ChatStart {
  /** The model's id of its answer; absent where it gave none. */
  readonly id?: string | undefined;
  /** The model that was asked for, and the one that answers. */
  readonly model: string;
  readonly answeredBy: string;
  readonly parent: Context;
  /** When the request was sent. */
  readonly at: number;
  /** How long the first piece took, in seconds, of an answer that comes in pieces. */
  readonly firstChunk?: number | undefined;
}

/** One request to the model, and its answer. */
export class ChatTrace {
  readonly id: string | undefined;
  readonly context: Context;
  /** Whether the end of the answer has not been seen. What comes in whole blocks has no end of its own. */
  isCut: boolean;
  readonly #kit: Kit;
  readonly #span: Span;
  readonly #attributes: Attributes;
  readonly #startedAt: number;
  readonly #parts: Part[] = [];
  #lastAt: number;
  #finishReason: string | undefined;

  constructor(kit: Kit, { id, model, answeredBy, parent, at, firstChunk }: ChatStart, seenAt: number) {
    this.id = id;
    this.#kit = kit;
    this.#startedAt = at;
    this.#lastAt = seenAt;
    this.isCut = firstChunk !== undefined;
    this.#attributes = { [genAi.operation]: 'chat', [genAi.provider]: kit.provider, [genAi.requestModel]: model };
    const isStreamed = firstChunk !== undefined;
    const attributes = {
      ...commonOf(kit),
      ...this.#attributes,
      ...(id !== undefined && { [genAi.responseId]: id }),
      [genAi.responseModel]: answeredBy,
      ...(isStreamed && { [genAi.streamed]: true, [genAi.timeToFirstChunk]: firstChunk }),
    };
    this.#span = kit.tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, startTime: at, attributes }, parent);
    this.context = trace.setSpan(parent, this.#span);
    if (isStreamed) kit.instruments.firstChunk(firstChunk, this.#attributes);
  }

  /** The tokens of the input, which are known when the answer begins. Those of the output are not, until it has ended. */
  usedInput(usage: unknown): void {
    if (!isRecord(usage)) return;
    const [fresh, read, written] = [
      usage['input_tokens'],
      usage['cache_read_input_tokens'],
      usage['cache_creation_input_tokens'],
    ].map((count) => (typeof count === 'number' ? count : 0)) as [number, number, number]; // as many as are mapped
    this.#span.setAttributes({
      [genAi.inputTokens]: fresh + read + written,
      [genAi.cacheReadTokens]: read,
      [genAi.cacheWriteTokens]: written,
    });
  }

  usedOutput(usage: unknown): void {
    const tokens = isRecord(usage) ? usage['output_tokens'] : undefined;
    if (typeof tokens === 'number') this.#span.setAttribute(genAi.outputTokens, tokens);
  }

  stopped(reason: unknown): void {
    if (typeof reason === 'string') this.#finishReason = reason;
  }

  /** Blocks of the answer. */
  blocks(content: unknown, at: number): void {
    this.#lastAt = at;
    if (this.#kit.capturesContent) this.#parts.push(...partsOf(content));
  }

  /** Without a time, at the last that was seen of it. */
  end(ending: Ending = completed, at: number = this.#lastAt): void {
    if (this.#finishReason !== undefined) this.#span.setAttribute(genAi.finishReasons, [this.#finishReason]);
    if (this.#parts.length > 0)
      this.#span.setAttribute(genAi.outputMessages, messageText('assistant', this.#parts, this.#finishReason));
    endSpan(this.#span, ending, at);
    this.#kit.instruments.chatEnded((at - this.#startedAt) / 1000, this.#attributes, ending);
  }
}

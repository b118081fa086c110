import { SpanKind, trace, type Attributes, type Context, type Link, type Span } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import { ChatTrace } from './chat-trace.ts';
import { completed, endSpan, type Ending } from './ending.ts';
import { commonOf, type Kit } from './kit.ts';
import { genAi } from './names.ts';
import { ToolTrace } from './tool-trace.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface AgentStart {
  readonly name: string;
  /** A subagent may have another model than its session. */
  readonly isSubagent?: boolean | undefined;
  readonly parent: Context;
  readonly at: number;
  readonly links?: readonly Link[] | undefined;
  readonly attributes?: Attributes | undefined;
}

/** Of an answer that the agent wrote itself, such as a message about an error of the service. */
const synthetic = '<synthetic>';

/** One work of an agent: a turn, or a subagent. Its requests follow one another; its tools may run beside each other. */
export class AgentTrace {
  readonly span: Span;
  readonly context: Context;
  readonly startedAt: number;
  readonly tools: Map<string, ToolTrace> = new Map();
  readonly #kit: Kit;
  readonly #name: string;
  readonly #isSubagent: boolean;
  #chat: ChatTrace | undefined;
  /** When the next request was sent, as far as it shows. */
  #requestedAt: number;

  constructor(kit: Kit, { name, isSubagent = false, parent, at, links = [], attributes }: AgentStart) {
    this.#kit = kit;
    this.#name = name;
    this.#isSubagent = isSubagent;
    this.startedAt = at;
    this.#requestedAt = at;
    const options = {
      kind: SpanKind.INTERNAL,
      startTime: at,
      links: [...links],
      attributes: { ...commonOf(kit), ...this.#attributes, ...attributes },
    };
    this.span = kit.tracer.startSpan(`invoke_agent ${name}`, options, parent);
    this.context = trace.setSpan(parent, this.span);
  }

  get #model(): string | undefined {
    return this.#isSubagent ? undefined : this.#kit.agent.model;
  }

  get #attributes(): Attributes {
    return { [genAi.operation]: 'invoke_agent', [genAi.agentName]: this.#name, [genAi.provider]: this.#kit.provider };
  }

  /** The agent reports that it sends a request. */
  requesting(at: number): void {
    this.#endChat();
    this.#requestedAt = at;
  }

  /** An event of the stream, other than a piece. */
  streamed(event: Fields, { ttft_ms: firstChunkMs }: { readonly ttft_ms?: unknown }, at: number): void {
    const { type, message, usage, delta } = event;
    if (type === 'message_start' && isRecord(message)) {
      const firstChunk = typeof firstChunkMs === 'number' ? firstChunkMs / 1000 : (at - this.#requestedAt) / 1000;
      this.#beginChat(message, at, firstChunk)?.usedInput(message['usage']);
    } else if (type === 'message_delta') {
      this.#chat?.usedOutput(usage);
      if (isRecord(delta)) this.#chat?.stopped(delta['stop_reason']);
    } else if (type === 'message_stop') this.#endChat(completed, at);
  }

  /** A block of an answer, or several. */
  answered(message: Fields, at: number): void {
    const answer = message['message'];
    if (!isRecord(answer)) return;
    const { id, model, usage, content, stop_reason: reason } = answer;
    if (model === synthetic) return this.#noteSynthetic(message, at);
    const isNew = this.#chat === undefined || this.#chat.id !== id;
    const chat = isNew ? this.#beginChat(answer, at) : this.#chat;
    if (isNew) chat?.usedInput(usage);
    chat?.stopped(reason);
    chat?.blocks(content, at);
    if (chat && message['aborted'] === true) chat.isCut = true;
    for (const block of Array.isArray(content) ? content : []) if (isRecord(block)) this.#openTool(block, at);
  }

  /** @returns whether it was a call of this agent. */
  toolReturned(id: string, result: { readonly content: unknown; readonly isError: boolean }, at: number): boolean {
    const tool = this.tools.get(id);
    if (tool === undefined) return false;
    this.tools.delete(id);
    tool.returned(result, at);
    this.#requestedAt = at;
    return true;
  }

  end(ending: Ending, at: number, attributes: Attributes = {}): void {
    this.#endChat(this.#chat?.isCut === true ? ending : completed);
    for (const tool of this.tools.values()) tool.end(ending.error === undefined ? { error: 'no_result' } : ending, at);
    this.tools.clear();
    const { version } = this.#kit.agent;
    this.span.setAttributes({
      ...commonOf(this.#kit),
      ...(version !== undefined && { [genAi.agentVersion]: version }),
      ...attributes,
    });
    endSpan(this.span, ending, at);
    this.#kit.instruments.turnEnded((at - this.startedAt) / 1000, this.#attributes, ending);
  }

  #beginChat(answer: Fields, at: number, firstChunk?: number): ChatTrace | undefined {
    const { id, model } = answer;
    if (typeof id !== 'string' || typeof model !== 'string' || this.#chat?.id === id) return this.#chat;
    this.#endChat();
    const start = { id, model: this.#model ?? model, answeredBy: model, parent: this.context };
    this.#chat = new ChatTrace(this.#kit, { ...start, at: Math.min(this.#requestedAt, at), firstChunk }, at);
    return this.#chat;
  }

  #endChat(ending?: Ending, at?: number): void {
    const chat = this.#chat;
    this.#chat = undefined;
    chat?.end(ending, at);
  }

  #openTool({ type, id, name, input }: Fields, at: number): void {
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string' || this.tools.has(id)) return;
    const parent = this.#chat?.context ?? this.context;
    this.tools.set(id, new ToolTrace(this.#kit, { id, name, input, parent, at }));
  }

  /** The service refused: the request has no answer of a model. */
  #noteSynthetic({ error, api_error_status: status }: Fields, at: number): void {
    this.#endChat();
    if (typeof error !== 'string') return;
    const model = this.#model ?? 'unknown';
    const start = { model, answeredBy: model, parent: this.context, at: this.#requestedAt };
    new ChatTrace(this.#kit, start, at).end({ error: typeof status === 'number' ? String(status) : error }, at);
  }
}

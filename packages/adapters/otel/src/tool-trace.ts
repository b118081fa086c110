import { SpanKind, trace, type Attributes, type Context, type Span } from '@opentelemetry/api';
import { jsonText } from './content.ts';
import { endSpan, type Ending } from './ending.ts';
import type { Kit } from './kit.ts';
import { genAi } from './names.ts';

export interface ToolStart {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly parent: Context;
  readonly at: number;
}

/** One call of a tool, from the model's wish to its result: the wait for a permission is a part of it. */
export class ToolTrace {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly context: Context;
  readonly span: Span;
  /** Why it will not run. */
  denied: Ending | undefined;
  readonly #kit: Kit;
  readonly #attributes: Attributes;
  readonly #startedAt: number;

  constructor(kit: Kit, { id, name, input, parent, at }: ToolStart) {
    this.id = id;
    this.name = name;
    this.input = input;
    this.#kit = kit;
    this.#startedAt = at;
    this.#attributes = { [genAi.operation]: 'execute_tool', [genAi.toolName]: name };
    const attributes = {
      ...this.#attributes,
      [genAi.toolCallId]: id,
      // The agent runs all of them where it runs itself, those of MCP servers included.
      [genAi.toolType]: 'function',
      ...(kit.capturesContent && { [genAi.toolArguments]: jsonText(input) }),
    };
    this.span = kit.tracer.startSpan(
      `execute_tool ${name}`,
      { kind: SpanKind.INTERNAL, startTime: at, attributes },
      parent,
    );
    this.context = trace.setSpan(parent, this.span);
  }

  returned({ content, isError }: { readonly content: unknown; readonly isError: boolean }, at: number): void {
    if (this.#kit.capturesContent) this.span.setAttribute(genAi.toolResult, jsonText(content));
    this.end(isError ? (this.denied ?? { error: 'tool_error' }) : {}, at);
  }

  end(ending: Ending, at: number): void {
    endSpan(this.span, ending, at);
    this.#kit.instruments.toolEnded((at - this.#startedAt) / 1000, this.#attributes, ending);
  }
}

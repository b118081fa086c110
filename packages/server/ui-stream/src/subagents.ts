import type { Answer } from './answer.ts';
import type { JsonObject, UiSubagent, UiSubagentPart } from './ui-data.ts';
import { defined, recordOf, recordsOf, textOr, type Fields } from './loose.ts';
import type { NoOutput, ToolCalls, ToolOutcome } from './tool-calls.ts';
import { toolResultsIn } from './tool-results.ts';
import type { SubagentView } from './ui-translator.ts';

/** The messages of subagents: complete blocks that name the call which started the subagent. */
export class Subagents {
  readonly #view: SubagentView;
  readonly #answer: Answer;
  readonly #tools: ToolCalls;
  readonly #nested = new Map<string, UiSubagent>();

  constructor(view: SubagentView, answer: Answer, tools: ToolCalls) {
    this.#view = view;
    this.#answer = answer;
    this.#tools = tools;
  }

  /** Takes a message of a subagent. */
  push(message: Fields, parentToolCallId: string): void {
    const { content } = recordOf(message['message']);
    const about = aboutOf(message, parentToolCallId);
    if (message['type'] === 'assistant')
      recordsOf(content).forEach((block, index) =>
        this.#block(block, `${textOr(message['uuid'], '')}:${index}`, about),
      );
    else for (const [id, outcome] of toolResultsIn(message, content)) this.#result(id, outcome, about);
  }

  #block(block: Fields, id: string, about: Omit<UiSubagent, 'parts'>): void {
    const { type } = block;
    if (type === 'tool_use') return this.#call(block, about);
    if (type !== 'text' && type !== 'thinking') return;
    const text = textOr(block[type], '');
    if (text === '') return;
    const kind = type === 'text' ? 'text' : 'reasoning';
    if (this.#view === 'flat') this.#answer.emit({ type: `data-subagent-${kind}`, id, data: { text, ...about } });
    else this.#nest(about, (parts) => [...parts, { type: kind, text }]);
  }

  #call({ id, name, input }: Fields, about: Omit<UiSubagent, 'parts'>): void {
    const toolCallId = textOr(id, '');
    const toolName = textOr(name, 'unknown');
    if (this.#view === 'flat') return this.#tools.complete(toolCallId, toolName, input, metadataOf(about));
    // A call with a request for approval has its own part.
    if (this.#tools.has(toolCallId)) return;
    const call = { type: 'tool', toolCallId, toolName, input: input ?? {}, state: 'running' } as const;
    this.#nest(about, (parts) => [...parts, call]);
  }

  #result(toolCallId: string, outcome: ToolOutcome, about: Omit<UiSubagent, 'parts'>): void {
    this.#tools.finish(toolCallId, outcome);
    const nested = this.#nested.get(about.parentToolCallId);
    if (nested?.parts.some((part) => part.type === 'tool' && part.toolCallId === toolCallId))
      this.#nest(about, (parts) => parts.map((part) => withResult(part, toolCallId, outcome)));
  }

  #nest(about: Omit<UiSubagent, 'parts'>, change: (parts: readonly UiSubagentPart[]) => UiSubagentPart[]): void {
    if (this.#view !== 'nested') return;
    const id = about.parentToolCallId;
    const data = { ...about, parts: change(this.#nested.get(id)?.parts ?? []) };
    this.#nested.set(id, data);
    this.#answer.emit({ type: 'data-subagent', id, data });
  }

  /** The turn is over: no call of a subagent is left running. */
  finishAll(outcome: NoOutput): void {
    for (const { parts, ...about } of [...this.#nested.values()])
      for (const part of parts)
        if (part.type === 'tool' && part.state === 'running') this.#result(part.toolCallId, outcome, about);
  }
}

function aboutOf(message: Fields, parentToolCallId: string): Omit<UiSubagent, 'parts'> {
  return {
    parentToolCallId,
    ...defined({
      agentId: textOr(message['agent_id'], undefined),
      subagentType: textOr(message['subagent_type'], undefined),
    }),
  };
}

/** The metadata of a part of a tool about the subagent that calls it. */
export function metadataOf(about: {
  readonly [Key in keyof Omit<UiSubagent, 'parts'>]?: string | undefined;
}): JsonObject {
  return defined(about);
}

function withResult(part: UiSubagentPart, toolCallId: string, outcome: ToolOutcome): UiSubagentPart {
  if (part.type !== 'tool' || part.toolCallId !== toolCallId || part.state !== 'running') return part;
  if (outcome.kind === 'output') return { ...part, state: 'done', output: outcome.output ?? null };
  return { ...part, state: outcome.kind === 'denied' ? 'denied' : 'error', errorText: outcome.text };
}

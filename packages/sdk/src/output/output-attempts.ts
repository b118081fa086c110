import {
  toolResultsOf,
  toolUsesOf,
  type AgentMessage,
  type OutputAttempt,
  type ResultMessage,
  type TranscriptMirrorFrame,
} from '@hexagent/ports';

/** The tool by which the model gives an output. The agent has it when it was started with a schema. */
export const outputTool = 'StructuredOutput';

/** What the model gave as the output of a turn and was refused, from the messages of the turn. */
export class OutputAttempts {
  /** What the model gave in the turn that runs, by the id of the call. */
  readonly #given = new Map<string, unknown>();
  /** Why our check refused it, by the id of the call. */
  readonly #problems = new Map<string, string>();
  #attempts: OutputAttempt[] = [];
  readonly #ofResults = new WeakMap<ResultMessage, readonly OutputAttempt[]>();

  /** The refused attempts of the turn with this result, in their order. */
  of(result: ResultMessage): readonly OutputAttempt[] {
    return this.#ofResults.get(result) ?? [];
  }

  /** Our check refused the call. */
  refused(id: string, problem: string): void {
    this.#problems.set(id, problem);
  }

  note(message: AgentMessage | TranscriptMirrorFrame): void {
    if (message.type === 'assistant' && message.parent_tool_use_id === null)
      for (const { id, name, input } of toolUsesOf(message)) if (name === outputTool) this.#given.set(id, input);
    if (message.type === 'user')
      for (const { tool_use_id: id, is_error: isError, content } of toolResultsOf(message))
        if (isError === true && this.#given.has(id))
          this.#attempts.push({
            value: this.#given.get(id),
            problem: this.#problems.get(id) ?? (typeof content === 'string' ? content : JSON.stringify(content)),
          });
    if (message.type === 'result') this.#end(message);
  }

  #end(result: ResultMessage): void {
    this.#ofResults.set(result, this.#attempts);
    this.#attempts = [];
    this.#given.clear();
    this.#problems.clear();
  }
}

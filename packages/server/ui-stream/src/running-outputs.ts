import { numberOr, textOr, type Fields } from './loose.ts';
import type { Tasks } from './tasks.ts';
import type { ToolCalls } from './tool-calls.ts';

/** How much of the output of a running command a page gets: its end, anew each time. */
const mostCharacters = 8 * 1024;

/** What running commands have written, as far as a page shows it: at the call, and behind its result at the background task. */
export class RunningOutputs {
  readonly #tools: ToolCalls;
  readonly #tasks: Tasks;
  readonly #shown = new Map<string, string>();

  constructor(tools: ToolCalls, tasks: Tasks) {
    this.#tools = tools;
    this.#tasks = tasks;
  }

  push(message: Fields): void {
    const task = textOr(message['task_id'], '');
    const before = numberOr(message['skipped_bytes'], 0) === 0 ? (this.#shown.get(task) ?? '') : '';
    const stdout = (before + textOr(message['text'], '')).slice(-mostCharacters);
    this.#shown.set(task, stdout);
    const shownBytes = new TextEncoder().encode(stdout).length;
    const output = { stdout, leftOutBytes: Math.max(0, numberOr(message['total_bytes'], 0) - shownBytes) };
    if (!this.#tools.progress(textOr(message['tool_use_id'], ''), output)) this.#tasks.wrote(task, output);
  }
}

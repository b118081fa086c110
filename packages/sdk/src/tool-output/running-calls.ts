import { isRecord } from '@hexagent/checks';
import type { AgentMessage } from '@hexagent/ports';

/** A call of a tool that runs a command. */
export interface RunningCall {
  readonly id: string;
  /** The call that started the subagent of which this is one. */
  readonly parent: string | null;
  readonly command: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Which calls run commands, as the messages of an agent tell, and which task of the agent each of them is. */
export class RunningCalls {
  /** Called, and without a task that is known. */
  readonly #waiting = new Map<string, RunningCall>();
  readonly #byTask = new Map<string, RunningCall>();

  get waiting(): readonly RunningCall[] {
    return [...this.#waiting.values()];
  }

  get areRunning(): boolean {
    return this.#waiting.size > 0 || this.#byTask.size > 0;
  }

  /** The call that the agent, or {@link assign}, has named for a task. */
  of(task: string): RunningCall | undefined {
    return this.#byTask.get(task);
  }

  assign(task: string, call: RunningCall): void {
    this.#byTask.set(task, call);
    this.#waiting.delete(call.id);
  }

  /** Returns the tasks that have ended. */
  note(message: AgentMessage): readonly string[] {
    // A message is read field by field, since it may lack any of them.
    const fields = message as object as Fields;
    if (fields['type'] === 'assistant') this.#called(fields);
    if (fields['type'] === 'user') return this.#answered(fields);
    if (fields['subtype'] === 'task_started') this.#started(fields);
    if (fields['subtype'] === 'task_notification') return this.#ended(String(fields['task_id']));
    return [];
  }

  #called({ message, parent_tool_use_id: parent }: Fields): void {
    for (const { type, id, name, input } of blocksOf(message)) {
      if (type !== 'tool_use' || name !== 'Bash' || typeof id !== 'string') continue;
      this.#waiting.set(id, { id, parent: textOrNull(parent), command: commandIn(input) });
    }
  }

  #started({ task_id: task, task_type: type, tool_use_id: id, description }: Fields): void {
    if (type !== 'local_bash' || typeof task !== 'string' || typeof id !== 'string') return;
    this.assign(task, this.#waiting.get(id) ?? { id, parent: null, command: String(description) });
  }

  #answered({ message, tool_use_result: result }: Fields): readonly string[] {
    const task = isRecord(result) ? result['backgroundTaskId'] : undefined;
    const answered = blocksOf(message).flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [id] : []));
    return answered.flatMap((id) => {
      const call = this.#waiting.get(String(id));
      if (typeof task === 'string') {
        if (call !== undefined) this.assign(task, call);
        return [];
      }
      this.#waiting.delete(String(id));
      return [...this.#byTask].flatMap(([each, { id: of }]) => (of === id ? this.#ended(each) : []));
    });
  }

  #ended(task: string): readonly string[] {
    return this.#byTask.delete(task) ? [task] : [];
  }
}

function blocksOf(message: unknown): readonly Fields[] {
  const content = isRecord(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function commandIn(input: unknown): string {
  return isRecord(input) && typeof input['command'] === 'string' ? input['command'] : '';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

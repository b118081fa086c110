import type { Answer } from './answer.ts';
import { defined, numberOr, recordOf, recordsOf, textOr, type Fields } from './loose.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { UiTask } from './ui-data.ts';

/** Subagents and shells that run beside the turn, each as one part that is replaced as more is reported of it. */
export class Tasks {
  readonly #answer: Answer;
  readonly #tools: ToolCalls;
  readonly #tasks = new Map<string, UiTask>();

  constructor(answer: Answer, tools: ToolCalls) {
    this.#answer = answer;
    this.#tools = tools;
  }

  /** The call that started a subagent; a subagent's task has its id. */
  callOf(agentId: string | undefined): string | undefined {
    return agentId === undefined ? undefined : this.#tasks.get(agentId)?.toolCallId;
  }

  started(message: Fields): void {
    this.#update(message, {
      status: 'running',
      kind: textOr(message['task_type'], undefined),
      isBackgrounded: flagOf(message['is_backgrounded']),
    });
  }

  progressed(message: Fields): void {
    const { lastToolName, description, summary, usage, toolCallId } = this.#update(message, {
      status: 'running',
      lastToolName: textOr(message['last_tool_name'], undefined),
    });
    if (toolCallId !== undefined)
      this.#tools.progress(toolCallId, {
        status: 'running',
        ...defined({ description, lastToolName, summary, usage }),
      });
  }

  updated({ task_id, patch }: Fields): void {
    const { status, description, error, is_backgrounded: isBackgrounded } = recordOf(patch);
    this.#update(
      { task_id, description },
      { status: textOr(status, undefined), error: textOr(error, undefined), isBackgrounded: flagOf(isBackgrounded) },
    );
  }

  ended(message: Fields): void {
    this.#update(message, { status: textOr(message['status'], 'completed') });
  }

  /** What a background task has written. */
  wrote(taskId: string, output: UiTask['output']): void {
    if (this.#tasks.has(taskId)) this.#update({ task_id: taskId }, { output });
  }

  /** All that are alive, for a page to count. */
  listed(message: Fields): void {
    const tasks = recordsOf(message['tasks']).map((task) => ({
      taskId: textOr(task['task_id'], ''),
      kind: textOr(task['task_type'], ''),
      description: textOr(task['description'], ''),
    }));
    this.#answer.emit({ type: 'data-background-tasks', data: { tasks }, transient: true });
  }

  #update(message: Fields, more: { [Key in keyof UiTask]?: UiTask[Key] | undefined }): UiTask {
    const taskId = textOr(message['task_id'], '');
    const before = this.#tasks.get(taskId) ?? { taskId, status: 'running' };
    const task: UiTask = {
      ...before,
      ...defined({
        toolCallId: textOr(message['tool_use_id'], undefined),
        description: textOr(message['description'], undefined),
        subagentType: textOr(message['subagent_type'], undefined),
        summary: textOr(message['summary'], undefined),
        usage: usageOf(message['usage']),
        ...more,
      }),
    };
    this.#tasks.set(taskId, task);
    this.#answer.emit({ type: 'data-task', id: taskId, data: task });
    return task;
  }
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function usageOf(usage: unknown): UiTask['usage'] {
  const { total_tokens: totalTokens, tool_uses: toolUses, duration_ms: durationMs } = recordOf(usage);
  if (numberOr(totalTokens, undefined) === undefined) return undefined;
  return {
    totalTokens: numberOr(totalTokens, 0),
    toolUses: numberOr(toolUses, 0),
    durationMs: numberOr(durationMs, 0),
  };
}

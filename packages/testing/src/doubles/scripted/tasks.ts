import type { BackgroundStep } from './script.ts';
import type { Session } from './session.ts';

interface Task {
  readonly task_id: string;
  readonly run_id: string;
  readonly tool_use_id: string;
  readonly step: BackgroundStep;
}

/** The end of a task that the model has not received yet. */
export interface Report {
  readonly runId: string;
  readonly step: BackgroundStep;
}

/** Background tasks. Recordings 35-subagent-background-default, 54-background-bash-stop-task, h-shell-*. */
export class BackgroundTasks {
  readonly #session: Session;
  readonly #ended: () => void;
  readonly #live = new Map<string, Task>();
  #reports: Report[] = [];
  #count = 0;

  /** `ended` is called when a task ends by itself. */
  constructor(session: Session, ended: () => void) {
    this.#session = session;
    this.#ended = ended;
  }

  get size(): number {
    return this.#live.size;
  }

  /** While a delegated task runs the session is not idle; a shell does not count. */
  get delegated(): boolean {
    return [...this.#live.values()].some(({ step }) => step.kind === 'local_agent');
  }

  /** The ends since the model's last answer, for its next one. */
  reportsRead(): void {
    this.#reports = [];
  }

  nextReport(): Report | undefined {
    return this.#reports.shift();
  }

  start(step: BackgroundStep, toolUseId: string): string {
    this.#count += 1;
    const task: Task = { task_id: `task${this.#count}`, run_id: `run-${this.#count}`, tool_use_id: toolUseId, step };
    this.#live.set(task.task_id, task);
    this.report();
    const { description } = step;
    const more =
      step.kind === 'local_agent' ? { subagent_type: 'general-purpose', spawn_depth: 1, prompt: description } : {};
    this.#about('task_started', task, {
      tool_use_id: toolUseId,
      description,
      is_backgrounded: true,
      task_type: step.kind,
      ...more,
    });
    void step.until?.pass().then(() => this.#end(task));
    return task.task_id;
  }

  /** Unknown ids are no error. */
  stop(taskId: string): void {
    const task = this.#live.get(taskId);
    if (task) this.#finish(task, 'killed', 'stopped');
  }

  stopAll(): void {
    for (const taskId of this.#live.keys()) this.stop(taskId);
  }

  #end(task: Task): void {
    if (!this.#live.has(task.task_id)) return;
    const status = task.step.fails === true ? 'failed' : 'completed';
    this.#finish(task, status, status);
    this.#reports.push({ runId: task.run_id, step: task.step });
    this.#ended();
  }

  #finish(task: Task, patch: string, status: 'completed' | 'failed' | 'stopped'): void {
    this.#live.delete(task.task_id);
    this.#about('task_updated', task, { patch: { status: patch, end_time: 0 } });
    this.#about('task_notification', task, {
      tool_use_id: task.tool_use_id,
      status,
      output_file: `/home/user/.scratch/${task.task_id}.output`,
      summary: task.step.description,
    });
    this.report();
  }

  /** Reports the running tasks. */
  report(): void {
    const tasks = [...this.#live.values()].map(({ task_id, run_id, step }) => ({
      task_id,
      run_id,
      task_type: step.kind,
      description: step.description,
    }));
    this.#session.system('background_tasks_changed', { tasks });
  }

  #about(subtype: string, { task_id, run_id }: Task, fields: object): void {
    this.#session.system(subtype, { task_id, run_id, ...fields });
  }
}

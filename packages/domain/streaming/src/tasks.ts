import type { AgentMessage } from '@hexagent/ports';

/** Tracks what runs in the background, from the frames that report it. */
export class TaskBoard {
  readonly #shells = new Set<string>();
  readonly #delegated = new Set<string>();

  get shells(): ReadonlySet<string> {
    return this.#shells;
  }

  get delegated(): number {
    return this.#delegated.size;
  }

  /** Returns whether the frame reported tasks. */
  note(message: AgentMessage): boolean {
    if (message.type !== 'system') return false;
    if (message.subtype === 'background_tasks_changed') {
      this.#shells.clear();
      this.#delegated.clear();
      for (const task of message.tasks) this.#add(task.task_id, task.task_type);
      return true;
    }
    if (message.subtype === 'task_started') {
      // A task in the foreground ends with its turn, which is counted.
      if (message.is_backgrounded === true) this.#add(message.task_id, message.task_type);
      return true;
    }
    if (message.subtype === 'task_notification') {
      this.#shells.delete(message.task_id);
      this.#delegated.delete(message.task_id);
      return true;
    }
    return false;
  }

  #add(id: string, type: string | undefined): void {
    (type === 'local_bash' ? this.#shells : this.#delegated).add(id);
  }
}

/** Runs tasks one after another. */
export class Serial {
  readonly #drained: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #unsettled = 0;

  /** `drained` is called each time that the last task has settled. */
  constructor(drained: () => void = () => {}) {
    this.#drained = drained;
  }

  /** Whether a task runs or waits. */
  get isBusy(): boolean {
    return this.#unsettled > 0;
  }

  /** Settles as the task does. The next task runs also when this one fails. */
  run<T>(task: () => Promise<T>): Promise<T> {
    this.#unsettled += 1;
    const done = this.#last.then(task);
    const settled = (): void => {
      this.#unsettled -= 1;
      if (this.#unsettled === 0) this.#drained();
    };
    this.#last = done.then(settled, settled);
    return done;
  }

  /** Resolves when the tasks so far have settled. */
  settled(): Promise<void> {
    return this.run(async () => {});
  }
}

/** Runs tasks one after another. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. The next task runs also when this one fails. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }
}

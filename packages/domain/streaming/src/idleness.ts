import { Deferred } from '@hexagent/async';

/** Whether anything of a conversation is alive, for those that wait until nothing is. */
export class Idleness {
  #awaited: Deferred<void> | undefined;
  /** Whether anything has run since it was last idle. */
  #wasBusy = false;

  get isAwaited(): boolean {
    return this.#awaited !== undefined;
  }

  begin(): void {
    this.#wasBusy = true;
  }

  /** Resolves when it is idle. */
  wait(): Promise<void> {
    return (this.#awaited ??= new Deferred<void>().handled()).promise;
  }

  /** Returns whether it has become idle. */
  review(isIdle: boolean): boolean {
    if (isIdle) this.settle();
    const hasBecomeIdle = isIdle && this.#wasBusy;
    this.#wasBusy = !isIdle;
    return hasBecomeIdle;
  }

  settle(error?: Error): void {
    if (error === undefined) this.#awaited?.resolve();
    else this.#awaited?.reject(error);
    this.#awaited = undefined;
  }
}

import { notify, settledWithin } from '@hexagent/async';
import { killMs, stages, untilStage, type Ending } from './ending.ts';
import { systemClock } from './system-clock.ts';

/** The ways that a program offers to end it. */
export interface Endable {
  kill(signal: NodeJS.Signals): unknown;
}

/** Ends a program that a caller's `spawn` has started, by the methods of that process. The descendants cannot be tracked. */
export class SpawnedEnding implements Ending {
  readonly #spawned: Endable;
  readonly #onTerminate: () => void;

  constructor(spawned: Endable, onTerminate: () => void) {
    this.#spawned = spawned;
    this.#onTerminate = onTerminate;
  }

  async end(
    endInput: () => void,
    exited: Promise<void>,
    began: number = systemClock.now(),
  ): Promise<readonly number[]> {
    const until = untilStage(exited, began);
    endInput();
    if (await until(stages.terminate)) return [];
    this.#signal('SIGTERM');
    notify(this.#onTerminate);
    if (await until(stages.kill)) return [];
    this.#signal('SIGKILL');
    await until(stages.giveUp);
    return [];
  }

  async kill(exited: Promise<void>): Promise<readonly number[]> {
    this.#signal('SIGKILL');
    notify(this.#onTerminate);
    await settledWithin(killMs, exited, systemClock);
    return [];
  }

  /** A failed signal is ignored: the next stage follows. */
  #signal(signal: NodeJS.Signals): void {
    notify(() => this.#spawned.kill(signal));
  }
}

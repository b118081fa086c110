import { Deferred } from '@hexagent/async';
import type { Turn } from '@hexagent/ports';

/** Within so many, what an agent of this process has written is read. */
const manyMicrotasks = 10;

/** How far the reading of one turn has come. */
export class TurnReading {
  readonly #ended = new Deferred<void>();
  #hasResult = false;
  #steps = 0;

  constructor({ result }: Pick<Turn, 'result'>) {
    const over = (): void => {
      this.#hasResult = true;
    };
    result.then(over, over);
  }

  /** A message was read, or their end was. */
  step(): void {
    this.#steps += 1;
  }

  end(): void {
    this.#ended.resolve();
  }

  /**
   * Resolves once everything is reported that arrived before another turn did. A turn that has its result is reported to its end. One that
   * runs on is joined by the message of the other, and how much of it arrived before cannot be seen: only that no more is read for a while.
   */
  async hasRead(): Promise<void> {
    for (let before = -1; before !== this.#steps && !this.#hasResult;) {
      before = this.#steps;
      for (let left = manyMicrotasks; left > 0; left -= 1) await Promise.resolve();
    }
    if (this.#hasResult) await this.#ended.promise;
  }
}

/**
 * Keeps reports in the order in which messages arrived. Each turn is read by itself, so where the end of a turn and the
 * beginning of the next arrive together, the readings take turns and the messages of both would be mixed.
 */
export class TurnOrder {
  #current: TurnReading | undefined;

  /** The turn that is reported, if it is another one. */
  earlierThan(reading: TurnReading): TurnReading | undefined {
    return this.#current === reading ? undefined : this.#current;
  }

  /** Takes the turn for the one that is reported, unless another is. */
  begin(reading: TurnReading): void {
    this.#current ??= reading;
  }

  /** From now on this turn is reported. The agent runs one at a time. */
  take(reading: TurnReading): void {
    this.#current = reading;
  }

  leave(reading: TurnReading): void {
    reading.end();
    if (this.#current === reading) this.#current = undefined;
  }
}

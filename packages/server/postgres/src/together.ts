import { Deferred } from '@hexagent/async';

/** What one statement takes at most. */
const most = 500;

interface Call<Key, Answer> {
  readonly key: Key;
  readonly answer: Deferred<Answer | undefined>;
}

/**
 * Sends calls that are made in the same turn of the event loop as one: thousands of sessions that a worker takes over at once would take as
 * many statements. `run` answers them in their order, or fails for all.
 */
export class Together<Key, Answer> {
  readonly #run: (keys: readonly Key[]) => Promise<readonly (Answer | undefined)[]>;
  #waiting: Call<Key, Answer>[] = [];

  constructor(run: (keys: readonly Key[]) => Promise<readonly (Answer | undefined)[]>) {
    this.#run = run;
  }

  call(key: Key): Promise<Answer | undefined> {
    const answer = new Deferred<Answer | undefined>();
    if (this.#waiting.length === 0) setImmediate(() => this.#send());
    this.#waiting.push({ key, answer });
    return answer.promise;
  }

  #send(): void {
    const calls = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < calls.length; at += most) void this.#answer(calls.slice(at, at + most));
  }

  async #answer(calls: readonly Call<Key, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(calls.map(({ key }) => key));
      for (const [at, { answer }] of calls.entries()) answer.resolve(answers[at]);
    } catch (error) {
      for (const { answer } of calls) answer.reject(error);
    }
  }
}

import { Deferred } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';

/** What one statement takes at most. */
const most = 500;

interface Call<Key, Answer> {
  readonly key: Key;
  readonly answer: Deferred<Answer | undefined>;
}

/**
 * Sends calls that are made in the same turn of the event loop as one: thousands of sessions that a worker takes over at once would take as
 * many statements. `run` answers them in their order, or fails for all; those that the database refuses together are made one by one.
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
      // It may refuse a single one, as an id that is too long for an index.
      if (calls.length > 1 && SdkError.is(error) && error.code === 'STORE_FAILED')
        return calls.forEach((call) => void this.#answer([call]));
      for (const { answer } of calls) answer.reject(error);
    }
  }
}

import type { ModelRequest, TurnLike } from '@hexagent/testing/loopback';
import type { Place, Program, Sdk } from '../sdks.ts';

/** A conversation with the real CLI, which is led with both packages. */
export interface Scenario {
  readonly program: Program;
  /** The model, made anew for each run. */
  model(): Answerer | readonly TurnLike[];
  /** What must be seen of it with both packages: otherwise two runs that fail alike would count as equal. */
  readonly shows: readonly (string | RegExp)[];
  /** Files that lie in the working directory afterwards. */
  readonly files?: readonly string[];
}

export type Answerer = (request: ModelRequest) => TurnLike;

export type Options = Place['options'];
type Prompt = Parameters<Sdk['query']>[0]['prompt'];
export type UserMessage = Exclude<Prompt, string> extends AsyncIterable<infer M> ? M : never;

export const user = (content: UserMessage['message']['content']): UserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

/** A query of this prompt, whose messages are compared. */
export const asking =
  (prompt: string, more: Options | ((place: Place, sdk: Sdk) => Options) = {}): Program =>
  (sdk, place) =>
    sdk.query({
      prompt,
      options: { ...place.options, ...(typeof more === 'function' ? more(place, sdk) : more) },
    });

/** Messages that are sent one after the other, each once the one before has its result. */
export class Conversation implements AsyncIterable<UserMessage> {
  readonly #contents: readonly UserMessage['message']['content'][];
  #next = Promise.withResolvers<void>();

  constructor(...contents: readonly UserMessage['message']['content'][]) {
    this.#contents = contents;
  }

  /** Lets the next message go. */
  proceed(): void {
    this.#next.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserMessage> {
    for (const content of this.#contents) {
      yield user(content);
      await this.#next.promise;
      this.#next = Promise.withResolvers();
    }
  }
}

/** Leads a conversation, with something to do after each result; the query is returned message by message. */
export const conversing =
  (
    contents: readonly UserMessage['message']['content'][],
    more: Options | ((place: Place, sdk: Sdk) => Options) = {},
    between: (query: ReturnType<Sdk['query']>, place: Place, index: number) => unknown = () => {},
  ): Program =>
  async (sdk, place) => {
    const prompt = new Conversation(...contents);
    const options = { ...place.options, ...(typeof more === 'function' ? more(place, sdk) : more) };
    const query = sdk.query({ prompt, options });
    const messages: unknown[] = [];
    let results = 0;
    for await (const message of query) {
      messages.push(message);
      if (message.type !== 'result') continue;
      await between(query, place, results);
      results += 1;
      prompt.proceed();
    }
    place.note('messages', messages);
  };

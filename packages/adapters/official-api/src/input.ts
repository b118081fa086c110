import { SdkError, type Conversation, type Turn, type UserInput } from '@hexagent/ports';
import { Deferred } from '@hexagent/streams';
import type { SDKUserMessage } from './types/messages.ts';

/** What a query is asked with. */
export type Prompt = string | AsyncIterable<SDKUserMessage>;

/**
 * Says what the program wants said, in order, and tells the conversation when nothing more will follow: a text prompt
 * is done with its first answer, since `streamInput()` may add to it until then, and a stream with its end.
 */
export class Input {
  readonly #conversation: Conversation;
  /** Told of what the program said and nobody will ever answer. */
  readonly #fail: (error: unknown) => void;
  readonly #streams = new Set<AsyncIterator<SDKUserMessage>>();
  readonly #stopped = new Deferred<void>();
  #holds = 0;
  #said = 0;

  constructor(conversation: Conversation, fail: (error: unknown) => void) {
    this.#conversation = conversation;
    this.#fail = fail;
  }

  /** How many messages were said. */
  get said(): number {
    return this.#said;
  }

  /** Begins with the prompt. An error of its stream is told to `fail`, untouched. */
  begin(prompt: Prompt): void {
    if (typeof prompt === 'string') this.#beginWith(prompt);
    else this.follow(prompt).catch(this.#fail);
  }

  #beginWith(prompt: string): void {
    this.#holds += 1;
    const answered = (): void => this.#release();
    this.#say({ content: [{ type: 'text', text: prompt }] }).result.then(answered, answered);
  }

  /** Says everything that the stream yields. Resolves at its end, or when the query ends before. */
  async follow(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#holds += 1;
    try {
      // A stream that waits for ever must not keep its caller beyond the end of the query.
      await Promise.race([this.#drain(stream[Symbol.asyncIterator]()), this.#stopped.promise]);
    } finally {
      this.#release();
    }
  }

  /** Nothing more is said. Streams are left, so that they can free what they hold. */
  stop(): void {
    if (this.#stopped.settled) return;
    this.#stopped.resolve();
    for (const iterator of this.#streams) leave(iterator);
  }

  async #drain(iterator: AsyncIterator<SDKUserMessage>): Promise<void> {
    this.#streams.add(iterator);
    try {
      for (;;) {
        const next = await iterator.next();
        if (next.done === true || this.#stopped.settled) return;
        this.#sayOrLeave(next.value, iterator);
      }
    } finally {
      this.#streams.delete(iterator);
    }
  }

  #sayOrLeave(message: SDKUserMessage, iterator: AsyncIterator<SDKUserMessage>): void {
    try {
      this.#say(inputOf(message));
    } catch (error) {
      leave(iterator);
      throw error;
    }
  }

  #say(message: UserInput): Turn {
    const turn = this.#conversation.send(message);
    this.#said += 1;
    // Every other way a turn can break ends the conversation, which tells its reader itself.
    turn.result.catch((error: unknown) => {
      if (SdkError.is(error) && error.code === 'FRAME_INVALID') this.#fail(error);
    });
    return turn;
  }

  #release(): void {
    this.#holds -= 1;
    if (this.#holds > 0 || this.#stopped.settled) return;
    // How the agent leaves is told by the end of the messages.
    this.#conversation.finish().catch(() => {});
  }
}

/** A generator that is waiting hears of it later; a stream that will not be left is none of our business any more. */
function leave(iterator: AsyncIterator<SDKUserMessage>): void {
  Promise.resolve(iterator.return?.()).catch(() => {});
}

/** @throws {TypeError} for what is not a user's message: the agent would die of it, or take it for one. */
function inputOf(said: SDKUserMessage): UserInput {
  const { type, message, uuid, priority, ...fields } = said;
  if (type !== 'user') throw new TypeError(`Only messages of type "user" can be said, not ${JSON.stringify(type)}.`);
  if (message.role !== 'user')
    throw new TypeError(`Only the role "user" can speak, not ${JSON.stringify(message.role)}.`);
  // The API knows more blocks than the engine names; all travel as they are.
  const content = message.content as UserInput['content'];
  return { content, uuid, priority, fields };
}

import type { ConversationOptions, Conversations, UserInput } from '@hexagent/ports';
import type { Answer, Begun } from './answer.ts';
import { LiveAnswer } from './live-answer.ts';

/** What an answer may be told; how it is read is its own business. */
export type AskOptions = Omit<ConversationOptions, 'reading'>;

/** Asks once: opens a conversation, says one thing, lets everything finish and ends the agent. */
export class QueryService {
  readonly #conversations: Conversations;

  constructor({ conversations }: { readonly conversations: Conversations }) {
    this.#conversations = conversations;
  }

  ask(prompt: string | UserInput, options: AskOptions): Answer {
    // A start that is not wanted any more can be taken back, which the program's own signal is not ours to do.
    const start = new AbortController();
    const forget = follow(options.signal, start);
    const begun = this.#begin(prompt, { ...options, signal: start.signal });
    begun.then(({ conversation }) => conversation.exited).then(forget, forget);
    return new LiveAnswer(begun, () => start.abort());
  }

  async #begin(prompt: string | UserInput, options: AskOptions): Promise<Begun> {
    const conversation = await this.#conversations.open({ ...options, delivery: 'all' });
    try {
      const turn = conversation.send(prompt);
      const finished = conversation.finish();
      // What could not be ended is warned of; the answer is there all the same.
      const outcome = turn.result.then(async (value) =>
        finished.then(
          () => value,
          () => value,
        ),
      );
      return { conversation, outcome };
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }
}

/** Aborts as `leader` does. Returns what ends that: a signal that outlives a thousand questions must not collect theirs. */
function follow(leader: AbortSignal | undefined, follower: AbortController): () => void {
  if (leader === undefined) return () => {};
  const abort = (): void => follower.abort(leader.reason);
  if (leader.aborted) abort();
  else leader.addEventListener('abort', abort, { once: true });
  return () => leader.removeEventListener('abort', abort);
}

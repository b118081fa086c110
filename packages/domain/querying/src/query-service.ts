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
    return new LiveAnswer(this.#begin(prompt, options));
  }

  async #begin(prompt: string | UserInput, options: AskOptions): Promise<Begun> {
    const conversation = await this.#conversations.open({ ...options, reading: 'whole' });
    const turn = conversation.send(prompt);
    const finished = conversation.finish();
    const outcome = turn.result.then(async (value) => {
      await finished;
      return value;
    });
    // Handed on below; until then a rejection must not count as unhandled.
    outcome.catch(() => {});
    return { conversation, outcome };
  }
}

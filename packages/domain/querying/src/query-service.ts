import type { ConversationOptions, Conversations, UserInput } from '@hexagent/ports';
import { onAbort } from '@hexagent/async';
import type { Answer, StartedAnswer } from './answer.ts';
import { LiveAnswer } from './live-answer.ts';

/** Opens a conversation, sends one prompt, waits until everything has finished and ends the agent. */
export class QueryService {
  readonly #conversations: Conversations;

  constructor({ conversations }: { readonly conversations: Conversations }) {
    this.#conversations = conversations;
  }

  ask(prompt: string | UserInput, options: ConversationOptions): Answer {
    // A controller of our own, since close() must be able to cancel the start, and the signal belongs to the program.
    const start = new AbortController();
    const stopForwarding = onAbort(options.signal, (reason) => start.abort(reason));
    const started = this.#start(prompt, { ...options, signal: start.signal });
    started.then(({ conversation }) => conversation.exited).then(stopForwarding, stopForwarding);
    return new LiveAnswer(started, () => start.abort());
  }

  async #start(prompt: string | UserInput, options: ConversationOptions): Promise<StartedAnswer> {
    const conversation = await this.#conversations.open(options);
    try {
      const messages = conversation.allMessages();
      const turn = conversation.send(prompt);
      const finished = conversation.finish();
      // finish() rejects when a process could not be ended. A warning reports that, and the outcome still counts.
      const result = turn.result.then(async (value) =>
        finished.then(
          () => value,
          () => value,
        ),
      );
      return { conversation, messages, result };
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }
}

import type { Exit } from '@hexagent/ports';
import type { QueryProgress } from './query-progress.ts';
import { exitError, resultError } from './errors.ts';

/** How the loop of a query ends: without or with an error. */
export type Ending = { readonly error?: unknown };

export interface SentMessages {
  /** The ids of the messages without an answer. */
  readonly unanswered: ReadonlySet<string>;
  /** The agent exited before anything of the prompt could be sent. */
  readonly isPromptLost: boolean;
}

/** What the agent's exit means. As in the official package, an error result is yielded first and then thrown, if the agent exited with a failure. */
export function endingOf(exit: Exit, { failure }: QueryProgress, sent: SentMessages, cause?: unknown): Ending {
  const context = { lost: [...sent.unanswered].map((id) => `turn ${id}`), cause };
  if (exit.signal !== null || (exit.code !== null && exit.code !== 0)) {
    if (failure === undefined) {
      const details = context.lost.length > 0 ? ['It had not answered yet.'] : [];
      return { error: exitError(exit, { ...context, details }) };
    }
    const { text, subtype, reason } = failure;
    const details = [`Its last result was an error without a text (\`${subtype}\`).`];
    if (text === '') return { error: exitError(exit, { ...context, details }) };
    return { error: resultError(text, { reason, cause: exitError(exit, context) }) };
  }
  // The official SDK ends without an error here, and the program takes that for success.
  if (sent.unanswered.size > 0 || sent.isPromptLost)
    return { error: exitError(exit, { ...context, details: ['It left without an answer.'] }) };
  return {};
}

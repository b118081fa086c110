import { handled } from '@hexagent/async';
import { SdkError, type AgentMessage } from '@hexagent/ports';
import type { Answer as AnswerOfQuerying } from '@hexagent/querying';
import { snapshotsOf, completedText, textStreamOf, type Readings } from './reading/readings.ts';

/**
 * The answer to one prompt, while it arrives. Reading it is optional: `result` and `text()` come either way. Leaving the loop, the
 * `textStream()` or the `snapshots()` early ends the agent. The latter two have the agent send its text in pieces when they are
 * called in the same tick as `ask()`.
 */
export interface Answer extends AnswerOfQuerying, Readings {}

export interface HowToAsk {
  /** The pieces of the text are wanted, too. */
  readonly isInPieces: boolean;
}

/** Asks in the next microtask: a reader that wants the text in pieces can be known by then. */
export function toAnswer(ask: (how: HowToAsk) => AnswerOfQuerying): Answer {
  let isInPieces = false;
  let reader: 'messages' | 'text' | 'snapshots' | undefined;
  const asked = handled(Promise.resolve().then(() => ask({ isInPieces })));
  const result = handled(asked.then((answer) => answer.result));
  const openAs = (wanted: typeof reader): AsyncIterator<AgentMessage> => {
    if (reader !== undefined && (reader !== wanted || wanted !== 'messages')) throw isRead();
    reader = wanted;
    return iteratorOf(asked);
  };
  return {
    result,
    close: async () => {
      await (await asked).close();
    },
    text: () => handled(completedText(result)),
    textStream() {
      isInPieces = true;
      return textStreamOf(
        () => openAs('text'),
        () => result,
      );
    },
    snapshots() {
      isInPieces = true;
      return snapshotsOf(() => openAs('snapshots'));
    },
    [Symbol.asyncIterator]: () => openAs('messages'),
  };
}

function iteratorOf(asked: Promise<AnswerOfQuerying>): AsyncIterator<AgentMessage> {
  let messages: AsyncIterator<AgentMessage> | undefined;
  const open = async (): Promise<AsyncIterator<AgentMessage>> => (messages ??= (await asked)[Symbol.asyncIterator]());
  return {
    next: () => handled(open().then((opened) => opened.next())),
    async return() {
      await (await open()).return?.();
      return { done: true, value: undefined };
    },
  };
}

function isRead(): SdkError {
  return new SdkError('TURN_READ', 'The messages of this answer are read, or were read, in another way.');
}

import { handled } from '@hexagent/async';
import { SdkError, type AgentMessage, type TurnOutcome } from '@hexagent/ports';
import type { Answer as AnswerOfQuerying } from '@hexagent/querying';
import type { Output } from './output/output.ts';
import { completedOutput, outputStreamOf, type OutputReadings } from './output/output-readings.ts';
import type { OutputOf, OutputOutcome, OutputSchema } from './output/output-schema.ts';
import { snapshotsOf, completedText, textStreamOf, type Readings } from './reading/readings.ts';

/**
 * The answer to one prompt, while it arrives. Reading it is optional: `result` and `text()` come either way. Leaving the loop, the
 * `textStream()` or the `snapshots()` early ends the agent. The latter two have the agent send its text in pieces when they are
 * called in the same tick as `ask()`.
 */
export interface Answer<Outcome extends TurnOutcome = TurnOutcome> extends AnswerOfQuerying, Readings {
  readonly result: Promise<Outcome>;
}

/** The answer to a prompt with a schema for its output. `outputStream()` is one more way to read it, in pieces. */
export interface OutputAnswer<Schema extends OutputSchema = OutputSchema>
  extends Answer<OutputOutcome<OutputOf<Schema>>>, OutputReadings<Schema> {}

/** An answer with this schema, if there is one. */
export type AnswerOf<Schema extends OutputSchema> = [Schema] extends [never] ? Answer : OutputAnswer<Schema>;

export interface HowToAsk {
  /** The pieces of the text are wanted, too. */
  readonly isInPieces: boolean;
}

/** A prompt that is asked later. */
export interface Asking {
  /** Resolves when it can be asked. */
  readonly ready: Promise<void>;
  readonly ask: (how: HowToAsk) => AnswerOfQuerying;
}

/** Asks in the next microtask: a reader that wants the text in pieces can be known by then. */
export function toAnswer(asking: Asking): Answer {
  return readableAnswer(new AskedOnce(asking), (outcome) => outcome);
}

/** The same, which gives outputs. */
export function toOutputAnswer(asking: Asking, output: Output): OutputAnswer {
  const asked = new AskedOnce(asking);
  const answer = readableAnswer(asked, (outcome) => output.check(outcome));
  return Object.assign(answer, {
    output: () => handled(completedOutput(answer.result)),
    outputStream() {
      asked.isInPieces = true;
      return outputStreamOf({ output, open: () => asked.openAs('output'), outcome: () => answer.result });
    },
  });
}

function readableAnswer<Outcome extends TurnOutcome>(
  asked: AskedOnce,
  check: (outcome: TurnOutcome) => Promise<Outcome> | Outcome,
): Answer<Outcome> {
  const result = handled(asked.answer.then(async (answer) => check(await answer.result)));
  return {
    result,
    close: async () => {
      // `result` rejects with the reason why there is none.
      const answer = await asked.answer.catch(() => undefined);
      await answer?.close();
    },
    text: () => handled(completedText(result)),
    textStream() {
      asked.isInPieces = true;
      return textStreamOf(
        () => asked.openAs('text'),
        () => result,
      );
    },
    snapshots() {
      asked.isInPieces = true;
      return snapshotsOf(() => asked.openAs('snapshots'));
    },
    [Symbol.asyncIterator]: () => asked.openAs('messages'),
  };
}

type Reader = 'messages' | 'text' | 'snapshots' | 'output';

/** One question, and its one reader. */
class AskedOnce {
  readonly answer: Promise<AnswerOfQuerying>;
  isInPieces = false;
  #reader: Reader | undefined;

  constructor({ ready, ask }: Asking) {
    this.answer = handled(ready.then(() => ask({ isInPieces: this.isInPieces })));
  }

  openAs(reader: Reader): AsyncIterator<AgentMessage> {
    if (this.#reader !== undefined && (this.#reader !== reader || reader !== 'messages')) throw isRead();
    this.#reader = reader;
    return iteratorOf(this.answer);
  }
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

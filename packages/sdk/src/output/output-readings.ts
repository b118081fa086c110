import { TurnError, type AgentMessage } from '@hexagent/ports';
import { FoldedMessages } from '../reading/folded-messages.ts';
import { MessageAssembler } from '../reading/message-assembler.ts';
import type { OutputReader } from './checked-output.ts';
import type { OutputOf, OutputOutcome, OutputPart, OutputSchema } from './output-schema.ts';

/** Ways to the output of a turn. */
export interface OutputReadings<Schema extends OutputSchema> {
  /**
   * The output, once the turn has completed. Needs no reading, and may be called any number of times.
   * @throws {TurnError} when the turn ended in any other way; its `outcome` has how, with the refused attempts where the output is
   * the cause. Else as `result` does. Never an unhandled rejection.
   */
  output(): Promise<OutputOf<Schema>>;
  /**
   * The output while it arrives, each value with all that came before. It is unchecked: anything may be missing, and a text may be cut
   * off. A value that is refused is followed by the parts of the next. This is the one reading of the turn. Ends without an error only
   * when the turn has completed with an output.
   * @throws {TurnError} at the end, as `output()` does.
   * @throws {SdkError} `TURN_READ` for a second reading.
   */
  outputStream(): AsyncIterableIterator<OutputPart<Schema>>;
}

/** @throws {TurnError} */
export async function completedOutput<Value>(outcome: Promise<OutputOutcome<Value>>): Promise<Value> {
  const ended = await outcome;
  if (ended.kind !== 'completed') throw new TurnError(ended);
  return ended.output;
}

interface ReadableOutput {
  readonly output: OutputReader;
  readonly open: () => AsyncIterator<AgentMessage>;
  readonly outcome: () => Promise<OutputOutcome<unknown>>;
}

export function outputStreamOf({ output, open, outcome }: ReadableOutput): FoldedMessages<unknown> {
  const assembler = new MessageAssembler();
  let shown: string | undefined;
  const isNew = (part: unknown): boolean => {
    const before = shown;
    shown = JSON.stringify(part);
    return part !== undefined && shown !== before;
  };
  return new FoldedMessages(open, {
    push: (message) =>
      assembler
        .push(message)
        .flatMap((snapshot) => output.partsIn(snapshot))
        .filter(isNew),
    async end() {
      await completedOutput(outcome());
      return [];
    },
  });
}

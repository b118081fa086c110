import { TurnError, type AgentMessage, type TurnOutcome } from '@hexagent/ports';
import { FoldedMessages } from './folded-messages.ts';
import { MessageAssembler } from './message-assembler.ts';
import type { MessageSnapshot } from './message-snapshot.ts';
import { TextFold } from './text-fold.ts';

/** Ways to the text of a turn, instead of its messages. */
export interface Readings {
  /**
   * The text of the result, once the turn has completed. Needs no reading, and may be called any number of times.
   * @throws {TurnError} when the turn ended in any other way; its `outcome` has how. Else as the outcome does. Never an unhandled rejection.
   */
  text(): Promise<string>;
  /**
   * The text while it arrives, in pieces. This is the one reading of the turn. Joined, the pieces end with the text of the
   * result; before it are those of earlier answers of the model, such as of what it wrote before it called a tool, each followed by a blank line.
   * Ends without an error only when the turn has completed.
   * @throws {TurnError} at the end, as `text()` does.
   * @throws {SdkError} `TEXT_TAKEN_BACK` when text that was read is replaced: `text()` has what counts. `TURN_READ` for a second reading.
   */
  textStream(): AsyncIterableIterator<string>;
  /**
   * The answers of the model while they arrive: text, thinking and the inputs of tools. This is the one reading of the turn. What is
   * taken back is missing in the next snapshot. Ends with the turn, however that ends.
   * @throws {SdkError} `TURN_READ` for a second reading.
   */
  snapshots(): AsyncIterableIterator<MessageSnapshot>;
}

/** @throws {TurnError} */
export async function completedText(outcome: Promise<TurnOutcome>): Promise<string> {
  const ended = await outcome;
  if (ended.kind !== 'completed') throw new TurnError(ended);
  return ended.text;
}

export function textStreamOf(
  open: () => AsyncIterator<AgentMessage>,
  outcome: () => Promise<TurnOutcome>,
): FoldedMessages<string> {
  const fold = new TextFold();
  return new FoldedMessages(open, {
    push: (message) => present(fold.push(message)),
    end: async () => present(fold.end(await completedText(outcome()))),
  });
}

export function snapshotsOf(open: () => AsyncIterator<AgentMessage>): FoldedMessages<MessageSnapshot> {
  const assembler = new MessageAssembler();
  return new FoldedMessages(open, { push: (message) => assembler.push(message), end: async () => [] });
}

function present(piece: string): readonly string[] {
  return piece === '' ? [] : [piece];
}

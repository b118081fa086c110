import { errorText } from '@hexagent/checks';
import type { ValueSchema } from '@hexagent/mcp-sdk-server';
import type { CompletedTurn, FailedTurn, OutputAttempt, TurnOutcome } from '@hexagent/ports';
import type { MessageSnapshot } from '../reading/message-snapshot.ts';
import type { OutputOutcome } from './output-schema.ts';

/** Finds the output of a turn, and checks it. */
export interface OutputReader {
  /** The outcome of a turn, completed only with an output that passes the schema. */
  check(outcome: TurnOutcome): Promise<OutputOutcome<unknown>>;
  /** What has arrived of the output in an answer of the model. */
  partsIn(snapshot: MessageSnapshot): readonly unknown[];
}

export type CheckedOutput = { readonly value: unknown } | { readonly problem: string };

export async function checkOutput(schema: ValueSchema, value: unknown): Promise<CheckedOutput> {
  try {
    const checked = await schema.check(value);
    return 'problems' in checked ? { problem: checked.problems.join('\n') } : checked;
  } catch (error) {
    return { problem: `The schema could not check it: ${errorText(error)}` };
  }
}

/** A turn that completed without an output that passes the schema has failed. */
export function withoutOutput(outcome: CompletedTurn, message: string, attempts: readonly OutputAttempt[]): FailedTurn {
  return { ...outcome, kind: 'failed', cause: 'output', message, attempts };
}

/** The message for a turn in which no value was given. */
export function missingText({ text }: Pick<CompletedTurn, 'text'>): string {
  const ended = 'The turn ended without an output.';
  const wrote = text.trim();
  if (wrote === '') return ended;
  return `${ended} The model wrote: ${wrote.length > 100 ? `${wrote.slice(0, 100)}…` : wrote}`;
}

/** The message for a value that is refused. */
export function refusedText({ problem }: Pick<OutputAttempt, 'problem'>): string {
  return `The output does not pass its schema:\n${problem}`;
}

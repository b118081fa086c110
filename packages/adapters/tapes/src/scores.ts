import { isRecord, shown } from '@hexagent/checks';
import type { Tape } from './read-tape.ts';
import { summaryOf, type TapeSummary } from './tape-summary.ts';

/** Judges one tape: a number, or whether it is as it should be. */
export type Score = (summary: TapeSummary, tape: Tape) => number | boolean | Promise<number | boolean>;

/** What a tape scores, by the names of the scores. */
export type Scores = Readonly<Record<string, number>>;

/** The scores that every tape has. */
const builtIn: Readonly<Record<string, Score>> = {
  completed: ({ outcome }) => outcome === 'completed',
  turns: ({ turns }) => turns,
  tools: ({ tools }) => Object.values(tools).reduce((sum, count) => sum + count, 0),
  cost: ({ cost }) => cost,
  seconds: ({ seconds }) => seconds,
};

/**
 * Scores a tape: `completed` (0 or 1), `turns`, `tools` (calls), `cost` (dollars), `seconds`, and those of the program.
 * @throws {TypeError} for a score that is not a function, or returns anything but a number or a boolean.
 */
export async function scoresOf(tape: Tape, own: Readonly<Record<string, unknown>> = {}): Promise<Scores> {
  const summary = summaryOf(tape);
  const scores: Record<string, number> = {};
  for (const [name, score] of Object.entries({ ...builtIn, ...own })) {
    if (typeof score !== 'function')
      throw new TypeError(`The score ${name} is ${shown(score)}, and has to be a function.`);
    scores[name] = toNumber(name, await (score as Score)(summary, tape)); // what it returns is checked
  }
  return scores;
}

function toNumber(name: string, value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw new TypeError(
    `The score ${name} returned ${isRecord(value) ? 'an object' : shown(value)}, and has to return a number or a boolean.`,
  );
}

/** The mean of each score over all tapes. */
export function meansOf(all: readonly Scores[]): Scores {
  const names = [...new Set(all.flatMap((scores) => Object.keys(scores)))];
  const mean = (name: string): number => all.reduce((sum, scores) => sum + (scores[name] ?? 0), 0) / all.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)]));
}

import { entriesByAgent } from './entries-by-agent.ts';
import { ExpectedLines } from './expected-lines.ts';
import type { Tape } from './read-tape.ts';
import { TapeTerms } from './tape-terms.ts';

/** What the program sent on a tape and did not send on that of a run of it, and the agents that it did not start. */
export function missingLines(tape: Tape, run: Tape): readonly string[] {
  const agentsOfRun = entriesByAgent(run);
  return entriesByAgent(tape).flatMap((entries, index) => {
    const entriesOfRun = agentsOfRun[index];
    if (entriesOfRun === undefined) return [`agent ${index + 1}`];
    // Only the kinds of lines matter, and these have neither ids nor folders of the run.
    const expected = new ExpectedLines(entries, new TapeTerms(undefined, {}));
    for (const entry of entriesOfRun) {
      if ('out' in entry) expected.match(entry.line);
      else if ('outLine' in entry) expected.match(entry.outLine);
    }
    return expected.missing;
  });
}

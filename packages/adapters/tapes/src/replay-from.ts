import { delay, oneOf } from '@hexagent/checks';
import { AbortError, SdkError, type Clock, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { entriesByAgent } from './entries-by-agent.ts';
import { ExpectedLines } from './expected-lines.ts';
import { readTape, type Tape } from './read-tape.ts';
import { ReplayedAgent } from './replayed-agent.ts';
import { toError } from './tape-error.ts';
import { TapeTerms } from './tape-terms.ts';

export interface ReplayOptions {
  /**
   * - `strict` (default): whatever the program sends otherwise than on the tape ends the conversation with `TAPE_DEPARTED`.
   * - `lenient`: lines are matched by their kind and order. One that is missing is waited for and skipped; an extra request is
   *   answered with an error.
   */
  readonly mode?: 'strict' | 'lenient' | undefined;
  /** How long the program may be silent where it has something to send or to end. Default 10 s, or 1 s when lenient. */
  readonly waitMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Plays the agents of a tape: the first connection is the first agent. */
export interface Replay extends Transport {
  /** Where the program departed from the tape, each for a person to read. */
  readonly departures: readonly string[];
  /** What the program has not sent, and the agents that it has not started. */
  readonly missing: readonly string[];
}

/**
 * A transport whose agents do what the agents on a tape did. No process is started.
 * @throws {TypeError} for a file that is not a tape, or a wrong option.
 */
export function replayFrom(tape: string | Tape, options: ReplayOptions = {}): Replay {
  const { mode = 'strict', waitMs = mode === 'strict' ? 10_000 : 1000, clock = systemClock } = options;
  const name = typeof tape === 'string' ? `the tape ${tape}` : 'the tape';
  const agents = entriesByAgent(typeof tape === 'string' ? readTape(tape) : tape);
  oneOf('strict', 'lenient')(mode, 'mode');
  delay(waitMs, 'waitMs');
  const [departures, started]: [string[], ExpectedLines[]] = [[], []];
  const play = (launch: Launch): Connection => {
    const number = started.length + 1;
    const entries = agents[started.length];
    if (entries === undefined) {
      const message = `The program started agent ${number}, and ${name} has ${agents.length}.`;
      departures.push(message);
      throw new SdkError('TAPE_DEPARTED', message);
    }
    const [head] = entries.flatMap((entry) => ('launch' in entry ? entry.launch : []));
    const terms = new TapeTerms(head, launch);
    const expected = new ExpectedLines(entries, terms);
    started.push(expected);
    const [failure] = entries.flatMap((entry) => ('failed' in entry ? entry.failed : []));
    if (failure !== undefined) throw toError(failure);
    const onDeparture = (text: string): void => void departures.push(text);
    return new ReplayedAgent({
      ...{ entries, expected, terms, clock, waitMs, onDeparture },
      isStrict: mode === 'strict',
      name: agents.length === 1 ? name : `${name}, agent ${number}`,
    });
  };
  return {
    departures,
    get missing() {
      const unsent = started.flatMap(({ missing }) => missing);
      return [...unsent, ...agents.slice(started.length).map((_, index) => `agent ${started.length + index + 1}`)];
    },
    async connect(launch, { signal } = {}) {
      if (signal?.aborted) throw new AbortError('Aborted before the agent was started.', { cause: signal.reason });
      return play(launch);
    },
  };
}

import { handled } from '@hexagent/async';
import type { AgentMessage, Turn as TurnOfPort, TurnOutcome } from '@hexagent/ports';
import type { OutputReader } from './output/checked-output.ts';
import { completedOutput, outputStreamOf, type OutputReadings } from './output/output-readings.ts';
import type { OutputOf, OutputOutcome, OutputSchema } from './output/output-schema.ts';
import { snapshotsOf, completedText, textStreamOf, type Readings } from './reading/readings.ts';

/**
 * One exchange. Reading it is optional: `result` and `text()` come either way. Its loop, `textStream()` and `snapshots()` are three ways
 * to read it, of which a program takes one.
 */
export interface Turn<Outcome extends TurnOutcome = TurnOutcome> extends Omit<TurnOfPort, 'includePieces'>, Readings {
  readonly result: Promise<Outcome>;
}

/** One exchange of a session with a schema for its outputs. `outputStream()` is one more way to read it. */
export interface OutputTurn<Schema extends OutputSchema = OutputSchema>
  extends Turn<OutputOutcome<OutputOf<Schema>>>, OutputReadings<Schema> {}

/** A turn of a session with this schema, if it has one. */
export type TurnOf<Schema extends OutputSchema> = [Schema] extends [never] ? Turn : OutputTurn<Schema>;

export function toTurn(turn: TurnOfPort): Turn {
  return readableTurn(turn, () => turn.result);
}

export function toOutputTurn(turn: TurnOfPort, output: OutputReader): OutputTurn {
  let checked: Promise<OutputOutcome<unknown>> | undefined;
  const outcome = () => (checked ??= handled(turn.result.then((ended) => output.check(ended))));
  return Object.assign(readableTurn(turn, outcome), {
    output: () => handled(completedOutput(outcome())),
    outputStream: () => outputStreamOf({ output, open: openInPieces(turn), outcome }),
  });
}

function readableTurn<Outcome extends TurnOutcome>(turn: TurnOfPort, outcome: () => Promise<Outcome>): Turn<Outcome> {
  const open = () => turn[Symbol.asyncIterator]();
  return {
    id: turn.id,
    get result() {
      return outcome();
    },
    get received() {
      return turn.received;
    },
    interrupt: () => turn.interrupt(),
    text: () => handled(completedText(outcome())),
    textStream: () => textStreamOf(openInPieces(turn), outcome),
    snapshots: () => snapshotsOf(openInPieces(turn)),
    [Symbol.asyncIterator]: open,
  };
}

function openInPieces(turn: TurnOfPort): () => AsyncIterator<AgentMessage> {
  turn.includePieces?.();
  return () => turn[Symbol.asyncIterator]();
}

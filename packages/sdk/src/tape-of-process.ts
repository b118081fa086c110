import { delay } from '@hexagent/checks';
import type { Transport } from '@hexagent/ports';
import { replayFrom, tapeSink, tapped, type TapSink } from '@hexagent/tapes';

/** By the value of the variable: all agents of the process are on one tape. */
const sinks = new Map<string, TapSink>();
const replays = new Map<string, Transport>();

/** The same transport, recorded on the tape of this process. */
export function recorded(transport: Transport, place: string): Transport {
  const sink = sinks.get(place) ?? tapeSink(place);
  sinks.set(place, sink);
  return tapped(transport, sink);
}

/** Plays the tape of this process. A process that has not done what is on the tape fails. */
export function replayed(file: string): Transport {
  const replay = replays.get(file);
  if (replay !== undefined) return replay;
  const begun = replayFrom(file, { waitMs: waitMsOf(process.env['HEXAGENT_REPLAY_WAIT_MS']) });
  replays.set(file, begun);
  process.once('exit', () => {
    const { departures, missing } = begun;
    const lacking = missing.length === 0 ? [] : [`The program has not sent what is on the tape ${file}: ${missing[0]}`];
    const [text] = [...departures, ...lacking];
    if (text === undefined) return;
    process.stderr.write(`${text}\n`);
    process.exitCode ||= 1;
  });
  return begun;
}

function waitMsOf(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const waitMs = Number(value);
  return delay(Number.isNaN(waitMs) ? value : waitMs, 'HEXAGENT_REPLAY_WAIT_MS');
}

import type { Transport } from '@hexagent/ports';
import { tapeSink, tapped, type TapSink } from '@hexagent/tapes';

/** By the value of the variable: all agents of the process are on one tape. */
const sinks = new Map<string, TapSink>();

/** The same transport, recorded on the tape of this process. */
export function recorded(transport: Transport, place: string): Transport {
  const sink = sinks.get(place) ?? tapeSink(place);
  sinks.set(place, sink);
  return tapped(transport, sink);
}

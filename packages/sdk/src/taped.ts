import type { Transport } from '@hexagent/ports';

/**
 * The same transport, unless a variable of this process asks for a tape: then one that records every agent of this process,
 * or plays the agents of a tape in their place, whichever part or option reaches them. What does that is loaded with the
 * first agent.
 */
export function taped(transport: Transport): Transport {
  const { HEXAGENT_RECORD: record, HEXAGENT_REPLAY: replay } = process.env;
  if (!record && !replay) return transport;
  return {
    async connect(launch, options) {
      const { recorded, replayed } = await import('./tape-of-process.ts');
      const played = replay ? replayed(replay) : transport;
      return await (record ? recorded(played, record) : played).connect(launch, options);
    },
  };
}

import type { Transport } from '@hexagent/ports';

/**
 * The same transport, unless a variable of this process asks for a tape: then one that records every agent of this process,
 * whichever part or option reaches it. What does that is loaded with the first agent.
 */
export function taped(transport: Transport): Transport {
  const place = process.env['HEXAGENT_RECORD'];
  if (!place) return transport;
  return {
    async connect(launch, options) {
      const { recorded } = await import('./tape-of-process.ts');
      return await recorded(transport, place).connect(launch, options);
    },
  };
}

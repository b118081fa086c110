import type { Connection, Transport } from '@hexagent/ports';

/** What `inspect()` of `@hexagent/inspector` leaves in the process while it is on. */
interface Tap {
  tapped(transport: Transport): Transport;
}

const place: unique symbol = Symbol.for('@hexagent/inspector');
// No other code has this symbol without meaning the same.
const ofProcess = globalThis as typeof globalThis & { readonly [place]?: Tap | undefined };

/**
 * The same transport, with the inspector in between where this process has one when an agent is started, or is asked for one by the
 * variable `HEXAGENT_INSPECT`.
 */
export function inspected(transport: Transport): Transport {
  return { connect: (launch, options) => connect(transport, launch, options) };
}

async function connect(transport: Transport, ...call: Parameters<Transport['connect']>): Promise<Connection> {
  const { HEXAGENT_INSPECT: wanted = '' } = process.env;
  if (wanted !== '' && wanted !== '0' && ofProcess[place] === undefined) {
    const { startInspector } = await import('./start-inspector.ts');
    await startInspector(wanted);
  }
  return await (ofProcess[place]?.tapped(transport) ?? transport).connect(...call);
}

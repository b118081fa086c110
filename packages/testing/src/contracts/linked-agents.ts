import type { Transport } from '@hexagent/ports';
import { linkedTransport, type AgentFunction } from '../doubles/linked-transport.ts';
import type { TransportFixture } from './transport-fixture.ts';

/** The agents of the suite of transports in this process: for a transport that wraps another one, which `over` makes. */
export function linkedAgents(over: (transport: Transport) => Transport = (transport) => transport): TransportFixture {
  const linked = (play: AgentFunction): { readonly transport: Transport } => ({
    transport: over(linkedTransport(play).transport),
  });
  const played = (play: AgentFunction): { readonly transport: Transport } =>
    linked((agent) => {
      agent.onInputEnd(() => agent.exit());
      return play(agent);
    });
  return {
    echoing: () => played((agent) => agent.onLine((line) => agent.writeLines([line]))),
    crashing: ({ lines, stderr, code }) =>
      played((agent) =>
        agent.onLine(() => {
          agent.writeLines(lines);
          agent.exit({ code, stderr });
        }),
      ),
    talkative: ({ count, pad }) =>
      played((agent) =>
        agent.onLine(() => {
          for (let n = 0; n < count; n += 1) agent.writeLines([JSON.stringify({ n, pad: 'x'.repeat(pad) })]);
        }),
      ),
    breakingOff: ({ whole, half }) =>
      played((agent) =>
        agent.onLine(() => {
          agent.writeLines([whole]);
          agent.exit({ unterminated: half });
        }),
      ),
    stubborn: () =>
      linked((agent) => {
        agent.writeLines(['here']);
        agent.stopReading();
      }),
    exiting: () => played((agent) => agent.exit()),
    holdsBackSenders: true,
  };
}

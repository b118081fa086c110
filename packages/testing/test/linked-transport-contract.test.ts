import { linkedTransport, type AgentFunction } from '@hexagent/testing';
import { transportContract, type TestAgent } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

function played(play: AgentFunction): TestAgent {
  return {
    transport: linkedTransport((agent) => {
      agent.onInputEnd(() => agent.exit());
      return play(agent);
    }).transport,
  };
}

transportContract(
  { describe, it },
  {
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
    stubborn: () => ({
      transport: linkedTransport((agent) => {
        agent.writeLines(['here']);
        agent.stopReading();
      }).transport,
    }),
    exiting: () => played((agent) => agent.exit()),
    holdsBackSenders: true,
  },
);

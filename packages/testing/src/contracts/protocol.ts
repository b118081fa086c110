import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { answers } from './protocol-answers.ts';
import { requests } from './protocol-requests.ts';
import { lostValues } from './protocol-lost-values.ts';
import { messages } from './protocol-messages.ts';
import type { ProtocolFixture, ProtocolPromises } from './protocol-fixture.ts';
import { callbacks } from './protocol-callbacks.ts';
import { exits } from './protocol-exit.ts';
import { initializing } from './protocol-initialize.ts';

/** What every `AgentProtocol` promises. Run it against your adapter; a pass means that the SDK can use it. */
export function agentProtocolContract(runner: Runner, fixture: ProtocolFixture): void {
  const { describe, it } = limitedRunner('agentProtocolContract', runner, fixture);
  const run = (promises: ProtocolPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, () => keep(fixture));
  };
  describe('AgentProtocol contract', () => {
    describe('A channel that opens', run(initializing));
    describe('A channel that sends requests and messages', run(requests));
    describe('A channel that answers the agent', run(answers));
    describe('A channel that is given what JSON would lose', run(lostValues));
    describe('A channel that calls the program', run(callbacks));
    describe('A channel that delivers messages', run(messages));
    describe('A channel whose agent exits', run(exits));
  });
}

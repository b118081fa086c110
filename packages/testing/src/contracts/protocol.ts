import type { Runner } from './runner.ts';
import { answering } from './protocol-answering.ts';
import { asking } from './protocol-asking.ts';
import { carrying } from './protocol-carrying.ts';
import { delivering } from './protocol-delivering.ts';
import type { ProtocolFixture, ProtocolPromises } from './protocol-fixture.ts';
import { hosting } from './protocol-hosting.ts';
import { leaving } from './protocol-leaving.ts';
import { opening } from './protocol-opening.ts';

/** What every `AgentProtocol` promises. Run it against your adapter; a pass means that the SDK can use it. */
export function agentProtocolContract({ describe, it }: Runner, fixture: ProtocolFixture): void {
  const run = (promises: ProtocolPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, () => keep(fixture));
  };
  describe('AgentProtocol contract', () => {
    describe('Opening', run(opening));
    describe('Asking', run(asking));
    describe('Answering', run(answering));
    describe('Carrying what is changed', run(carrying));
    describe('Calling the host', run(hosting));
    describe('Delivering', run(delivering));
    describe('Leaving', run(leaving));
  });
}

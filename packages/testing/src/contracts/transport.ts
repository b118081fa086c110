import { limitedRunner } from './limited-runner.ts';
import type { Case, Runner } from './runner.ts';
import { aborting, closing, holdingBack } from './transport-closing.ts';
import type { TransportFixture, TransportPromises } from './transport-fixture.ts';
import { exiting } from './transport-exit.ts';
import { lines } from './transport-lines.ts';

/** What every `Transport` promises. Run it against your adapter; a pass means that the SDK can use it. */
export function transportContract(runner: Runner, fixture: TransportFixture): void {
  const { describe, it } = limitedRunner('transportContract', runner, fixture);
  const run = (register: Case, promises: TransportPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) register(name, () => keep(fixture));
  };
  describe('Transport contract', () => {
    describe('Lines', run(it, lines));
    describe('Exit', run(it, exiting));
    describe('Closing', run(it, closing));
    describe('Aborting', run(it, aborting));
    describe('Holding back', run(fixture.holdsBackSenders ? it : it.skip, holdingBack));
  });
}

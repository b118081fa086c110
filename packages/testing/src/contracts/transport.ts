import type { Runner } from './runner.ts';
import { abortingPromises, closingPromises } from './transport-closing.ts';
import type { TransportFixture } from './transport-fixture.ts';
import { leavingPromises } from './transport-leaving.ts';
import { speakingPromises } from './transport-speaking.ts';

/** What every `Transport` promises. Run it against your adapter; a pass means that the SDK can use it. */
export function transportContract(runner: Runner, fixture: TransportFixture): void {
  runner.describe('Transport contract', () => {
    runner.describe('Speaking', () => speakingPromises(runner, fixture));
    runner.describe('Leaving', () => leavingPromises(runner, fixture));
    runner.describe('Closing', () => closingPromises(runner, fixture));
    runner.describe('Aborting', () => abortingPromises(runner, fixture));
  });
}

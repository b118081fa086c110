import { fileURLToPath } from 'node:url';
import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import type { Launch } from '@hexagent/ports';
import type { TestAgent, TransportFixture } from '@hexagent/testing/contracts';

/** The path of a small program in `fixtures/`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** One that the tests of the kit use too. */
export function kitFixture(name: string): string {
  return fileURLToPath(new URL(`../../../processes/test/fixtures/${name}`, import.meta.url));
}

/** A launch with nothing of this process's environment but what programs are found with. */
export function launch(more: Partial<Launch> = {}): Launch {
  return { args: [], env: { PATH: process.env['PATH'] ?? '' }, initialize: {}, ...more };
}

/** An agent played by a fixture; its behaviour is set by its arguments. */
export function agent(name: string, behaviour?: object, options: CliTransportOptions = {}): TestAgent {
  return {
    transport: new CliTransport({ executable: fixture(name), ...options }),
    launch: launch(behaviour === undefined ? {} : { args: [JSON.stringify(behaviour)] }),
  };
}

/** The fixture of the contract suite, for agents that a transport starts as processes. */
export const processFixture = (play: (name: string, behaviour?: object) => TestAgent): TransportFixture => ({
  echoing: () => play('echoing.mjs'),
  crashing: (behaviour) => play('crashing.mjs', behaviour),
  talkative: (behaviour) => play('talkative.mjs', behaviour),
  breakingOff: (behaviour) => play('breaking-off.mjs', behaviour),
  stubborn: () => play('stubborn.mjs'),
  exiting: () => play('leaving.mjs'),
  holdsBackSenders: true,
});

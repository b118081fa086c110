import { fileURLToPath } from 'node:url';
import { command, RemoteTransport } from '@hexagent/remote-transport';
import { transportContract, type TestAgent } from '@hexagent/testing/contracts';
import { describe, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

/** One of the small agents of the tests of `cli-transport`. */
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../cli-transport/test/fixtures/${name}`, import.meta.url));

const keepAlives = fileURLToPath(new URL('./fixtures/with-keep-alives.mjs', import.meta.url));

/** Behind an environment that was cleared: what the far side has of this process is its files. */
const wrapper = ['env', '-i', 'PATH=/usr/bin:/bin', 'sh', '-c', 'exec "$@"', 'wrapper'];

const agent = (name: string, behaviour?: object): TestAgent => ({
  transport: new RemoteTransport({ command: command(wrapper, { cli: [process.execPath, keepAlives, fixture(name)] }) }),
  launch: behaviour === undefined ? {} : { args: [JSON.stringify(behaviour)] },
});

transportContract(
  { describe, it },
  {
    echoing: () => agent('echoing.mjs'),
    crashing: (behaviour) => agent('crashing.mjs', behaviour),
    talkative: (behaviour) => agent('talkative.mjs', behaviour),
    breakingOff: (behaviour) => agent('breaking-off.mjs', behaviour),
    stubborn: () => agent('stubborn.mjs'),
    exiting: () => agent('leaving.mjs'),
    holdsBackSenders: true,
  },
);

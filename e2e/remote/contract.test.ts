import { fileURLToPath } from 'node:url';
import { RemoteTransport } from '@hexagent/remote-transport';
import { transportContract, type TestAgent } from '@hexagent/testing/contracts';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { canBePlaced, startPlaces, type PlaceName, type Places } from './places.ts';

let places: Places;
const fixture = (path: string): string => fileURLToPath(new URL(`../../packages/adapters/${path}`, import.meta.url));

const agentAt =
  (place: PlaceName) =>
  (name: string, behaviour?: object): TestAgent => {
    const agent = fixture(`cli-transport/test/fixtures/${name}.mjs`);
    const cli = [process.execPath, fixture('remote-transport/test/fixtures/with-keep-alives.mjs'), agent];
    return {
      transport: new RemoteTransport({ command: places.of[place]({ cli }) }),
      launch: behaviour === undefined ? {} : { args: [JSON.stringify(behaviour)] },
    };
  };

describe.skipIf(!canBePlaced)('Over', () => {
  beforeAll(async () => void (places = await startPlaces()));
  afterAll(() => places[Symbol.asyncDispose]());

  describe.each<PlaceName>(['ssh', 'a container'])('%s:', (place) => {
    const agent = agentAt(place);
    transportContract(
      { describe, it },
      {
        echoing: () => agent('echoing'),
        crashing: (behaviour) => agent('crashing', behaviour),
        talkative: (behaviour) => agent('talkative', behaviour),
        breakingOff: (behaviour) => agent('breaking-off', behaviour),
        stubborn: () => agent('stubborn'),
        exiting: () => agent('leaving'),
        holdsBackSenders: true,
      },
    );
  });
});

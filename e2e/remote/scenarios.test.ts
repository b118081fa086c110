import { afterAll, beforeAll, describe, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { canBePlaced, startPlaces, type PlaceName, type Places } from './places.ts';
import { scenarios, type PlaceFor } from './scenarios.ts';

let places: Places;

const placeAt =
  (name: PlaceName): PlaceFor =>
  async (...given) => {
    const here = await stage(...given);
    return { ...here, options: { ...here.options, executable: places.of[name]({ cli }) } };
  };

/** Every place is reached by the same code; these are what depends on how its processes and files are separated. */
const some = ['an interrupt ends', 'settings, a key', 'closing ends a command'];
const inPlaces: readonly (readonly [PlaceName, readonly string[]])[] = [
  ['ssh', Object.keys(scenarios)],
  ...(['a namespace', 'a container', 'an image'] as const).map(
    (name) => [name, Object.keys(scenarios).filter((title) => some.some((start) => title.startsWith(start)))] as const,
  ),
];

withCli('Here', () => {
  it.each(Object.keys(scenarios))('%s', (title) => scenarios[title]!(stage));
});

describe.skipIf(!canBePlaced)('Over', () => {
  beforeAll(async () => void (places = await startPlaces()));
  afterAll(() => places[Symbol.asyncDispose]());

  describe.each(inPlaces)('%s:', (name, titles) => {
    withCli('elsewhere', () => {
      it.each(titles)('%s', (title) => scenarios[title]!(placeAt(name)));
    });
  });
});

import { createSdk } from '@hexagent/sdk';
import { playScenario } from '@hexagent/testing/scenarios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecording, toRecording } from '../../packages/sdk/test/scenarios/recorded.ts';
import { scenarios as recorded } from '../../packages/sdk/test/scenarios/table.ts';
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
/** Of the scenarios that are had with agents of three depths: one of each kind. */
const talking = [
  'a text in pieces',
  'two turns in one session',
  'a command that the host allows',
  'a hook that denies a call',
  'a tool of the program',
  'a question that a person answers',
  'an interrupt in the middle of a text',
  'a shell in the background, which is stopped at the end',
  'a session that is resumed',
  'a session that is copied',
];
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

  withCli('ssh', () => {
    it.each(talking)('the same is seen as here: %s', async (title) => {
      const elsewhere = (executable: string): unknown => places.of['ssh']({ cli: executable });
      const seen = await playScenario(recorded[title]!, { depth: 'cli', createSdk, from: import.meta.url, elsewhere });
      expect(toRecording(seen)).toBe(readRecording(title));
    });
  });

  describe.each(inPlaces)('%s:', (name, titles) => {
    withCli('elsewhere', () => {
      it.each(titles)('%s', (title) => scenarios[title]!(placeAt(name)));
    });
  });
});

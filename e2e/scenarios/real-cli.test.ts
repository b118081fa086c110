import { createSdk } from '@hexagent/sdk';
import { playScenario, type Seen } from '@hexagent/testing/scenarios';
import { it } from 'vitest';
import { recordingOf, toRecording } from '../../packages/sdk/test/scenarios/recorded.ts';
import type { Scenario } from '../../packages/sdk/test/scenarios/scenario.ts';
import { scenarios } from '../../packages/sdk/test/scenarios/table.ts';
import { withCli } from '../support/cli.ts';

const about = (text: string, { apart }: Seen): readonly string[] => apart.filter((line) => line.includes(text));

/** What is said to depart, and does not any more. */
async function agreeing(scenario: Scenario, real: Seen): Promise<readonly string[]> {
  const departs = (scenario.departs ?? []).filter(({ isRace }) => isRace !== true);
  if (departs.length === 0) return [];
  const scripted = await playScenario(scenario, { depth: 'memory', createSdk });
  return departs
    .map((departure) => departure.about)
    .filter((text) => String(about(text, real)) === String(about(text, scripted)));
}

withCli('With the real CLI', () => {
  // `pnpm scenarios` records what is seen; the scripted agent is compared with it.
  it.concurrent.for(Object.entries(scenarios))(
    'the same is seen as before: %s',
    async ([name, scenario], { expect }) => {
      const seen = await playScenario(scenario, { depth: 'cli', createSdk, from: import.meta.url });
      await expect(toRecording(seen)).toMatchFileSnapshot(recordingOf(name));
      expect(await agreeing(scenario, seen)).toEqual([]);
    },
  );
});

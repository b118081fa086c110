import { ask, createSdk } from '@hexagent/sdk';
import { playScenario, scriptedCli, turn } from '@hexagent/testing/scenarios';
import { describe, expect, it } from 'vitest';
import { readRecording, toRecording } from './scenarios/recorded.ts';
import { scenarios } from './scenarios/table.ts';

describe('With a scripted process', () => {
  it.each(Object.entries(scenarios))('the same is seen as with the real CLI: %s', async (name, scenario) => {
    const seen = await playScenario(scenario, { depth: 'process', createSdk });
    expect(JSON.parse(toRecording(seen))).toEqual(JSON.parse(readRecording(name)));
  });
});

it('A program of turns is started in place of the CLI', async () => {
  const { executable, env, remove } = await scriptedCli([turn('go', 'Done.')]);
  try {
    expect(await ask('go', { executable, env: { policy: 'exact', set: env } }).text()).toBe('Done.');
  } finally {
    await remove();
  }
});

it('A program of turns that cannot be is refused before it is written', async () => {
  await expect(scriptedCli([turn('go', 7 as never)])).rejects.toThrow('`turns[0].happens[0]` must be a text');
});

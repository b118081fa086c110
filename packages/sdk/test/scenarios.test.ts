import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { allow, createSdk } from '@hexagent/sdk';
import { model, playScenario, turn } from '@hexagent/testing/scenarios';
import { describe, expect, it } from 'vitest';
import type { Scenario } from './scenarios/scenario.ts';
import { readRecording, recordingOf, toRecording } from './scenarios/recorded.ts';
import { scenarios } from './scenarios/table.ts';

const names = Object.keys(scenarios);

describe('With an agent in this process', () => {
  it.each(Object.entries(scenarios))('the same is seen as with the real CLI: %s', async (name, scenario) => {
    const seen = await playScenario(scenario, { depth: 'memory', createSdk });
    expect(JSON.parse(toRecording(seen))).toEqual(JSON.parse(readRecording(name)));
  });
});

describe('A scenario', () => {
  const turns = [turn('go', 'Done.')];
  const play = (more: object) => playScenario({ turns, shows: [], ...more }, { depth: 'memory', createSdk });

  it('fails where a text is not seen that it shows, with all that was seen', async () => {
    await expect(play({ shows: ['Done.', 'Never.'] })).rejects.toThrow(
      /Nothing shows "Never\."[^]*turn ended: completed/,
    );
  });

  it.each([
    ['while it is waited for', true],
    ['before', false],
  ])('fails where the session ends %s without a text that its program waits for', async (_when, isWaiting) => {
    const program: Scenario['program'] = async ({ session, until }) => {
      const waiting = isWaiting ? until('Never.') : undefined;
      await session.close();
      await (waiting ?? until('Never.'));
    };
    await expect(play({ program })).rejects.toThrow('The session ended, and nothing showed "Never."');
  });

  it('fails where the host is asked less often than it decides, or more often', async () => {
    await expect(play({ decides: [allow()] })).rejects.toThrow('was asked 1 times less');
    const call = model.call('Bash', { command: 'touch made' }, { asks: true });
    const asking = { turns: [turn('go', [call, call], 'Done.')], shows: ['asked for one more'] };
    await play({ ...asking, decides: [allow()] });
  });
});

describe('The scenarios', () => {
  it('are forty and more, each with its recording, and no recording is left over', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const recorded = readdirSync(dirname(recordingOf('any')));
    expect(recorded.toSorted()).toEqual(names.map((name) => basename(recordingOf(name))).toSorted());
  });
});

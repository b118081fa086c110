import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, createSdk } from '@hexagent/sdk';
import { model, playScenario, scriptedCli, turn } from '@hexagent/testing/scenarios';
import { afterEach, describe, expect, it } from 'vitest';
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

describe.skipIf(process.platform === 'win32')('In a folder for temporary files', () => {
  const before = process.env['TMPDIR'];
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  /** A folder for temporary files, whose path is no word of a shell as it is. */
  async function ownFolder(): Promise<string> {
    process.env['TMPDIR'] = await mkdtemp(join(tmpdir(), 'it\'s a "$HOME" `x` '));
    return process.env['TMPDIR'];
  }

  it('a program of turns is started, whatever characters its path has', async () => {
    const folder = await ownFolder();
    const { executable, env, remove } = await scriptedCli([turn('go', 'Done.')]);
    expect(executable.startsWith(folder)).toBe(true);
    expect(await ask('go', { executable, env: { policy: 'exact', set: env } }).text()).toBe('Done.');
    await remove();
    await rmdir(folder);
  });

  it('nothing is left of a place that could not be made', async () => {
    const folder = await ownFolder();
    const turns = [turn('go', model.call('Read', { count: 1n }), 'Done.')];
    await expect(scriptedCli(turns)).rejects.toThrow('BigInt');
    const scenario = { options: {}, turns, shows: ['Done.'] };
    await expect(playScenario(scenario, { depth: 'process', createSdk })).rejects.toThrow('BigInt');
    await rmdir(folder); // it is empty
  });
});

it('A program of turns that cannot be is refused before it is written', async () => {
  await expect(scriptedCli([turn('go', 7 as never)])).rejects.toThrow('`turns[0].happens[0]` must be a text');
});

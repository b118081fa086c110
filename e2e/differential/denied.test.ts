import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { flagsOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, sides, type Program } from './run.ts';

const settings = JSON.stringify({ permissions: { deny: ['Bash(touch *)'] } });
// Torn apart on a command line, so that it has to travel in the settings.
const rule = 'Bash(rm (a) b)';

withCli('Settings of extraArgs beside a rule that only settings can hold', () => {
  const program: Program = ({ query }, { options }) =>
    query({
      prompt: 'go',
      options: { ...options, allowedTools: ['Bash'], disallowedTools: [rule], extraArgs: { settings } },
    });

  it.each(sides)('deny what they name: %s', async (side) => {
    const { messages, files, thrown } = await runReal(side, program, [
      toolUse('Bash', { command: 'touch denied' }),
      'done',
    ]);
    expect(thrown).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success' });
    expect(files).not.toContain('denied');
  });
});

describe('Settings of extraArgs', () => {
  it.each([
    ['alone', { extraArgs: { settings } }],
    ['as a path', { extraArgs: { settings: '/x.json' } }],
    // As officially, those of the option count.
    ['beside the option', { settings: '{"a":1}', extraArgs: { settings } }],
    ['beside an empty option', { settings: '', extraArgs: { settings } }],
  ])('reach the agent alike: %s', async (_, change) => {
    const program: Program = ({ query }, { options }) => query({ prompt: 'hi', options: { ...options, ...change } });
    const { official, ours } = await compare(program);
    expect(ours.launches.map(flagsOf)).toEqual(official.launches.map(flagsOf));
    expect(ours.launches).toHaveLength(1);
  });
});

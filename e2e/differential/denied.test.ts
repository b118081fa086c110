import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { flagsOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, type Program } from './run.ts';

const settings = JSON.stringify({ permissions: { deny: ['Bash(touch denied)'] } });
// Torn apart on a command line, so that it has to travel in the settings.
const rule = 'Bash(touch "x) y")';

withCli('Settings of extraArgs beside a rule that only settings can hold', () => {
  const program: Program = ({ query }, { options }) =>
    query({
      prompt: 'go',
      options: { ...options, allowedTools: ['Bash'], disallowedTools: [rule], extraArgs: { settings } },
    });
  const commands = ['touch denied', 'touch "x) y"', 'touch allowed'];
  const script = [...commands.map((command) => toolUse('Bash', { command })), 'done'];

  it('hold, and so does the rule', async () => {
    const { messages, files, thrown } = await runReal('ours', program, script);
    expect(thrown).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success' });
    expect(files).toEqual(['allowed']);
  });

  it('hold in the official package, where the rule is torn apart', async () => {
    expect((await runReal('official', program, script)).files).toEqual(['allowed', 'x) y']);
  });
});

describe('Settings of extraArgs', () => {
  it.each([
    ['alone', { extraArgs: { settings } }],
    ['as a path', { extraArgs: { settings: '/x.json' } }],
    // As in the official package, those of the option count.
    ['beside the option', { settings: '{"a":1}', extraArgs: { settings } }],
    ['beside an empty option', { settings: '', extraArgs: { settings } }],
  ])('reach the agent alike: %s', async (_, change) => {
    const program: Program = ({ query }, { options }) => query({ prompt: 'hi', options: { ...options, ...change } });
    const { official, ours } = await compare(program);
    expect(ours.launches.map(flagsOf)).toEqual(official.launches.map(flagsOf));
    expect(ours.launches).toHaveLength(1);
  });
});

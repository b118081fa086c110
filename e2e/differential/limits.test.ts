import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { runReal } from './real.ts';
import type { Program, Sdk } from './sdks.ts';

type Options = NonNullable<Parameters<Sdk['query']>[0]['options']>;

const limits: readonly (readonly [name: string, limit: Options])[] = [
  ['maxBudgetUsd', { maxBudgetUsd: NaN }],
  ['maxBudgetUsd', { maxBudgetUsd: 0 }],
  ['maxThinkingTokens', { maxThinkingTokens: NaN }],
  ['thinking.budgetTokens', { thinking: { type: 'enabled', budgetTokens: NaN } }],
];

withCli('A limit that is not a number', () => {
  it.each(limits)('ends the CLI in the official package, and is refused by its name here: %s', async (name, limit) => {
    const program: Program = async ({ query }, { options, note }) => {
      try {
        for await (const _ of query({ prompt: 'Hello', options: { ...options, ...limit } }));
        note('end', 'no error');
      } catch (error) {
        note('end', String(error));
      }
    };
    const [official, ours] = [await runReal('official', program, ['Hi']), await runReal('ours', program, ['Hi'])];
    expect(JSON.stringify(official)).toContain('Claude Code process exited with code 1');
    expect(JSON.stringify(ours)).toContain('TypeError: ');
    expect(JSON.stringify(ours)).toContain(name);
  });

  it('is none as `maxTurns`, in both', async () => {
    const program: Program = ({ query }, { options }) =>
      query({ prompt: 'Hello', options: { ...options, maxTurns: NaN } });
    for (const side of ['official', 'ours'] as const)
      expect(JSON.stringify(await runReal(side, program, ['Hi']))).toContain('Hi');
  });
});

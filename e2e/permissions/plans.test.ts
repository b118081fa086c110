import { approvePlan, revisePlan } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { expectWarnings } from '../support/warnings.ts';
import { planned } from './planning.ts';

expectWarnings();

withCli('#37 A plan', () => {
  it('is approved as the person edited it, which the model reads', async () => {
    const { read } = await planned((ask) => approvePlan(ask, { plan: '# Only this' }));
    expect(read).toContain('edited by user');
    expect(read).toContain('# Only this');
  });

  it.each(['acceptEdits', 'dontAsk', 'auto', 'default'] as const)(
    'is approved with a mode to go on in: %s',
    async (mode) => {
      const { modes } = await planned((ask) => approvePlan(ask, { mode }));
      expect(modes.at(-1)).toBe(mode);
    },
  );

  it('is revised by the feedback of the person, and shown again', async () => {
    let shown = 0;
    const { plans, read, made } = await planned((ask) => {
      shown += 1;
      return shown === 1 ? revisePlan('Use another colour.') : approvePlan(ask);
    });
    expect(plans.map(({ plan }) => plan)).toEqual(['# Plan 1', '# Plan 2']);
    expect(read).toContain('What to change: Use another colour.');
    expect(made).toBe(true);
  });

  it('that is not approved leaves the agent in plan mode', async () => {
    const { modes, made } = await planned(() => revisePlan('No.'));
    expect(modes).not.toContain('default');
    expect(made).toBe(false);
  });
});

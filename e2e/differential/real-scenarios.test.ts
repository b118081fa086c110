import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { comparableRun, comparableText } from './comparable-run.ts';
import { runReal, type RealRecord } from './real.ts';
import type { Side } from './run.ts';
import { callbacks } from './scenarios/callbacks.ts';
import { ending } from './scenarios/ending.ts';
import { settings } from './scenarios/settings.ts';
import { talking } from './scenarios/talking.ts';
import { tools } from './scenarios/tools.ts';
import type { Scenario } from './scenarios/scenario.ts';

const scenarios: Readonly<Record<string, Scenario>> = { ...talking, ...tools, ...callbacks, ...settings, ...ending };

const thrownBy = ({ thrown }: RealRecord): string => comparableText(thrown?.message ?? '');

withCli('A conversation with the real CLI', () => {
  it.each(Object.entries(scenarios))(
    'is the same for its program as in the official package: %s',
    async (_, scenario) => {
      const led = (side: Side) => runReal(side, scenario.program, scenario.model());
      const [official, ours] = await Promise.all([led('official'), led('ours')]);
      const text = JSON.stringify(official);
      for (const shown of scenario.shows) expect(text).toMatch(shown);
      expect(official.hangs).toBe(false);
      expect(official.files).toEqual(scenario.files ?? official.files);
      expect(comparableRun(ours)).toEqual(comparableRun(official));
      // Ours begins with the same text, and may be longer.
      expect(thrownBy(ours).slice(0, thrownBy(official).length)).toBe(thrownBy(official));
    },
  );

  it('has been led in forty ways and more', () => {
    expect(Object.keys(scenarios).length).toBeGreaterThanOrEqual(40);
  });
});

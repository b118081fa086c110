import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { comparable } from './comparable-run.ts';
import { runReal } from './real.ts';
import { callbacks } from './scenarios/callbacks.ts';
import { talking } from './scenarios/talking.ts';
import { tools } from './scenarios/tools.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { sides } from './sdks.ts';
import { tracers, type TracedStep } from './tracers.ts';

const all: Readonly<Record<string, Scenario>> = { ...talking, ...tools, ...callbacks };
const scenarios = [
  'three messages after each other',
  'a tool of the program',
  'a subagent of the program',
  'a tool that the program denies',
  'an error of the API that lasts',
];

interface Node {
  readonly step: unknown;
  readonly below: readonly Node[];
}

/** The steps as a tree, without what no two runs share. */
function treeOf(steps: readonly TracedStep[]): readonly Node[] {
  const ids = new Set(steps.map(({ id }) => id));
  const below = (parent: unknown): readonly Node[] =>
    steps
      .filter((step) => (parent === undefined ? !ids.has(step.parent) : step.parent === parent))
      .map(({ id, fields }) => ({ step: comparable(sent(fields)), below: below(id) }))
      .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  return below(undefined);
}

/** As it is sent, without the address of the model and what counts all steps of the process. */
const sent = (fields: TracedStep['fields']): unknown =>
  JSON.parse(
    JSON.stringify(fields, (key, value: unknown) => {
      if (key === 'env' || key === 'exec_counter') return undefined;
      if (typeof value !== 'string') return value;
      // The page of differences names it: an error of ours has the name of its class.
      return value.replaceAll(/"totalDurationMs":\d+/g, '"totalDurationMs":0').replace(/^SdkError:/, 'Error:');
    }),
  );

const cases = Object.keys(tracers).flatMap((tracer) => scenarios.map((scenario) => [tracer, scenario] as const));

withCli('A tracer that is published for the official package', () => {
  it.each(cases)('makes the same of the drop-in: %s, %s', async (tracer, name) => {
    const scenario = all[name];
    if (scenario === undefined) throw new Error(`There is no scenario ${name}.`);
    const [official, ours] = [[], []] as [Node[], Node[]];
    // One after the other: a tracer has one place for what it traces.
    for (const side of sides) {
      const { wrap, steps } = (await tracers[tracer]?.()) ?? { wrap: undefined, steps: async () => [] };
      await runReal(side, scenario.program, scenario.model(), wrap);
      (side === 'ours' ? ours : official).push(...treeOf(await steps()));
    }
    expect(official.length).toBeGreaterThan(0);
    expect(ours).toEqual(official);
  });
});

import type { Warning } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { absentToolsFeature } from '../src/index.ts';
import { featureControl } from './feature-control.ts';

/** What is warned of when the agent has listed its tools. */
function warnedOf(names: readonly string[] | undefined): readonly Warning[] {
  const warned: Warning[] = [];
  const feature = absentToolsFeature(names);
  feature?.attach?.(
    featureControl(
      async () => ({}),
      (warning) => void warned.push(warning),
    ),
  );
  feature?.toolsListed?.(['Read', 'Brandnew']);
  return warned;
}

describe('A name in `tools` that the agent does not list', () => {
  it('is warned of with the right name where it is misspelt', () => {
    expect(warnedOf(['Read', 'Raed'])).toEqual([
      {
        code: 'HEXAGENT_TOOL_UNKNOWN',
        source: 'tools Raed',
        message: '`tools` names "Raed", and the agent has no such tool. Did you mean "Read"?',
      },
    ]);
  });

  it('is warned of where it resembles none: it may be of a tool of the program', () => {
    expect(warnedOf(['forecast']).map(({ message }) => message)).toEqual([
      '`tools` names "forecast", and the agent has no such tool. Pass a tool made by `tool()` itself, not its name.',
    ]);
  });

  it.each([
    ['that the agent lists', ['Brandnew']],
    ['of a tool that the CLI brings', ['Read', 'WebSearch']],
    ['of a tool of an older CLI', ['LS']],
    ['of a tool of a server', ['mcp__own__forecast']],
    ['where none is given', undefined],
  ])('is not one %s', (_, names) => {
    expect(warnedOf(names)).toEqual([]);
  });
});

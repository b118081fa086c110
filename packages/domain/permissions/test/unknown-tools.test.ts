import type { SessionFeature, Warning } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { EnforcedPolicy, unknownToolsFeature } from '../src/index.ts';
import { featureControl } from './feature-control.ts';
import { policyOf } from './policy-of.ts';

const tools = ['Bash', 'Read', 'Brandnew', 'mcp__bsh__run'];

/** Attaches the feature, and returns what it warns of. */
function attached(feature: SessionFeature | undefined): readonly Warning[] {
  const warned: Warning[] = [];
  feature?.attach?.(
    featureControl(
      async () => ({}),
      (warning) => void warned.push(warning),
    ),
  );
  return warned;
}

/** The tools that were warned of, when the agent has listed its own. */
function warnedOf(...rules: readonly string[]): readonly string[] {
  const feature = new EnforcedPolicy(policyOf({ deny: rules })).feature;
  const warned = attached(feature);
  feature.toolsListed?.(tools);
  return warned.map(({ message }) => message);
}

describe('A rule whose tool is misspelt', () => {
  it('is warned of with the right name, once the agent has listed its tools', () => {
    const feature = new EnforcedPolicy(policyOf({ deny: ['Bsh'], allow: ['Bsh', 'WebSerch'] })).feature;
    const warned = attached(feature);
    expect(warned).toEqual([]);
    feature.toolsListed?.(tools);
    expect(warned).toEqual([
      {
        code: 'HEXAGENT_RULE_MISSPELT',
        source: 'permissions.allow Bsh',
        message:
          'A rule of `permissions.allow` names "Bsh", and the agent has no such tool: it covers nothing. Did you mean "Bash"?',
      },
      expect.objectContaining({ message: expect.stringContaining('Did you mean "WebSearch"?') }),
    ]);
  });

  it('is not one that names a tool of another version of the agent', () => {
    expect(warnedOf('LS', 'MultiEdit', 'NotebookRead', 'TodoRead', 'exit_plan_mode')).toEqual([]);
  });

  it('is warned of at once when it is added later', async () => {
    const enforced = new EnforcedPolicy(policyOf());
    const warned = attached(enforced.feature);
    enforced.feature.toolsListed?.(tools);
    await enforced.add({ deny: ['Raed'] });
    expect(warned.map(({ message }) => message)).toEqual([expect.stringContaining('Did you mean "Read"?')]);
  });

  it('is refused where it has content, with the right name', () => {
    expect(() => policyOf({ deny: ['Bsh(rm *)'] })).toThrow(
      '`permissions.deny[0]` has content, which rules for this tool cannot have (did you mean "Bash"?): name the tool alone.',
    );
  });

  it('is warned of with the place that it was given', () => {
    const feature = unknownToolsFeature({ allowedTools: undefined, disallowedTools: ['Bsh'] });
    const warned = attached(feature);
    feature?.toolsListed?.(tools);
    expect(warned).toEqual([expect.objectContaining({ source: 'disallowedTools Bsh' })]);
    for (const rules of ['Bsh', 5, null, {}, [5, null]])
      expect(unknownToolsFeature({ allowedTools: rules })).toBeUndefined();
    expect(unknownToolsFeature({ allowedTools: ['Bash(ls *)'], disallowedTools: undefined })).toBeUndefined();
  });
});

describe('A rule is not taken for misspelt', () => {
  it.each([
    ['whose tool the CLI brings, in whatever session', 'Bash(rm *)'],
    ['whose tool has an old name', 'Task'],
    ['whose tool only structured answers need', 'StructuredOutput'],
    ['whose tool the agent lists', 'Brandnew'],
    ['for a tool of a server', 'mcp__bsh__rn'],
    ['for a server', 'mcp__bash'],
    ['for several tools', 'Bsh*'],
    ['that resembles none', 'Teleport'],
    ['that may be of a newer agent', 'BashOutput'],
  ])('%s: %s', (_, rule) => {
    expect(warnedOf(rule)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { PermissionPolicy, type ToolCall } from '../src/index.ts';
import { randomChoices, type RandomChoices } from './random-choices.ts';
import { shellCommands } from './shell-commands.ts';

const pieces = [
  ...[
    'rm',
    'git',
    'push',
    'npm test',
    'sh -c',
    'sudo',
    'env',
    'xargs',
    'eval',
    'find',
    'a',
    '-x',
    '--',
    'EOF',
    'A=1',
    '/etc',
    '../x',
    '~',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    ';',
    '&',
    '&&',
    '|',
    '||',
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    '<<',
    '<<<',
    '>&',
    '<(',
    '$',
    '$(',
    '${',
    '$((',
    '`',
  ],
  ...[
    '"',
    "'",
    '\\',
    '#',
    '*',
    '?',
    '[',
    ']',
    '!',
    ',',
    ':',
    '=',
    '\0',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\ud83d',
    'é',
    '//',
    'domain:',
    ':*',
    '.',
  ],
];
const tools = [
  ...[
    'Bash',
    'PowerShell',
    'Monitor',
    'Read',
    'Edit',
    'Write',
    'NotebookEdit',
    'Grep',
    'WebFetch',
    'Agent',
    'Task',
    'Skill',
  ],
  ...['AskUserQuestion', 'mcp__a', 'mcp__a__b', 'mcp__a__b__c', 'mcp__', 'constructor', '__proto__', '', '*', 'Ba*'],
];
const keys = ['command', 'file_path', 'notebook_path', 'path', 'url', 'subagent_type', 'skill', 'args', '__proto__'];

const textBy = (random: RandomChoices): string => random.some(pieces, 14).join('');

function valueBy(random: RandomChoices): unknown {
  const odd: readonly unknown[] = [undefined, null, 5, true, [], {}, ['rm'], Symbol('x'), 1n];
  return random.below(8) === 0 ? random.one(odd) : random.one([textBy(random), random.one(shellCommands).command]);
}

function callBy(random: RandomChoices): ToolCall {
  const input = Object.fromEntries(random.some(keys, 4).map((key) => [key, valueBy(random)]));
  const tool = random.one(tools);
  return { tool, input, ...(random.below(3) === 0 ? { cwd: textBy(random), server: textBy(random) } : {}) };
}

function ruleBy(random: RandomChoices): string {
  if (random.below(4) === 0) return random.one(shellCommands).rule;
  const content = random.one([`(${textBy(random)})`, `(domain:${textBy(random)})`, '', '(*)']);
  return `${random.one(tools)}${content}`;
}

/** `undefined` where the rule is refused, as it may be: by a TypeError that names its place. */
function policyWith(list: 'allow' | 'deny' | 'ask', rule: string): PermissionPolicy | undefined {
  try {
    return new PermissionPolicy({ [list]: [rule], cwd: '/srv', home: '/home/ann' });
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith(`\`permissions.${list}[0]\` `)) return undefined;
    throw error;
  }
}

describe('Whatever the rule and whatever the call', () => {
  it('there is a decision, with its reason; and what a rule allows it would deny and have asked, too', () => {
    let [decided, allowed, denied] = [0, 0, 0];
    for (let seed = 0; seed < 10_000; seed += 1) {
      const random = randomChoices(seed);
      const [rule, call] = [ruleBy(random), callBy(random)];
      const [allow, deny, ask] = (['allow', 'deny', 'ask'] as const).map((list) =>
        policyWith(list, rule)?.decide(call),
      );
      for (const one of [allow, deny, ask]) {
        if (one === undefined) continue;
        decided += 1;
        expect(['allow', 'deny', 'ask']).toContain(one.decision);
        expect(one.why).toMatch(/\.$/);
        expect(one.by.kind === 'rule' ? one.by.rule : rule).toBe(rule);
      }
      const isAllowed = allow?.decision === 'allow';
      if (isAllowed) allowed += 1;
      expect([seed, isAllowed && (deny?.decision !== 'deny' || ask?.by.kind !== 'rule')]).toEqual([seed, false]);
      if (deny?.decision === 'deny') denied += 1;
    }
    // They are not all refused, and not all the same.
    expect(decided).toBeGreaterThan(10_000);
    expect(allowed).toBeGreaterThan(50);
    expect(denied).toBeGreaterThan(500);
  });

  it.each([
    ['words', 'a '.repeat(50_000)],
    ['programs that run programs', 'sudo '.repeat(50_000)],
    ['shells in shells', 'sh -c '.repeat(20_000)],
    ['substitutions', 'echo $(a) '.repeat(5_000)],
    ['nested substitutions', '$('.repeat(20_000)],
    ['nested backticks', '`\\'.repeat(20_000)],
    ['quotes', '"\''.repeat(20_000)],
    ['options', 'zap ' + '-x '.repeat(20_000)],
    ['here-documents', 'cat <<E\n'.repeat(5_000)],
    ['braces', '{a,'.repeat(20_000)],
    ['open braces of variables', '${'.repeat(20_000)],
    ['lines of lists', 'a=(b c) '.repeat(50_000)],
    ['evaluated texts', 'x=${y:-$(z)}; echo $((x)) '.repeat(20_000)],
    ['values that may be commands', "a='x y z' ".repeat(40_000)],
    ['texts for shells', 'eval "a b"; '.repeat(40_000)],
  ])('many %s take no long time', (_, command) => {
    const policy = new PermissionPolicy({
      deny: ['Bash(zap *a*b*c* push *)', 'Bash(* * * * x)'],
      allow: ['Bash(zap * y *)'],
    });
    const begin = performance.now();
    expect(policy.decide({ tool: 'Bash', input: { command } }).why).toMatch(/\.$/);
    expect(performance.now() - begin).toBeLessThan(2_000); // some milliseconds, and hours where each way is tried
  });
});

import { describe, expect, it } from 'vitest';
import { type PermissionPolicy, type ToolCall } from '../src/index.ts';
import { randomChoices, type RandomChoices } from './random-choices.ts';
import { policyOf } from './policy-of.ts';

const pieces = [
  ...'rm,git,push,npm test,sh -c,sudo,env,xargs,eval,find,a,-x,--,EOF,A=1,/etc,../x,~'.split(','),
  ...'; & && | || ( ) { } < > << <<< >& <( $ $( ${ $(( ` " \' \\ # * ? [ ] ! , : = // domain: :* . é'.split(' '),
  ...[' ', '\t', '\n', '\0', '\u00a0', '\u200b', '\u2028', '\ud83d'],
];
const tools = [
  ...'Bash PowerShell Monitor Read Edit Write NotebookEdit Grep WebFetch Agent Task Skill AskUserQuestion'.split(' '),
  ...'mcp__a mcp__a__b mcp__a__b__c mcp__ constructor __proto__ * Ba*'.split(' '),
  '',
];
const keys = ['command', 'file_path', 'notebook_path', 'path', 'url', 'subagent_type', 'skill', 'args', '__proto__'];

const commands = [
  ['Bash(zap test *)', 'zap test x && zap test y'],
  ['Bash(zap *)', 'sudo sh -c "zap x"'],
  ['Bash(* --force)', 'zop; zap --force'],
  ['PowerShell(Remove-Item *)', 'Get-ChildItem | ri'],
] as const;

const textBy = (random: RandomChoices): string => random.some(pieces, 14).join('');

function valueBy(random: RandomChoices): unknown {
  const odd: readonly unknown[] = [undefined, null, 5, true, [], {}, ['rm'], Symbol('x'), 1n];
  return random.below(8) === 0 ? random.one(odd) : random.one([textBy(random), random.one(commands)[1]]);
}

function callBy(random: RandomChoices): ToolCall {
  const input = Object.fromEntries(random.some(keys, 4).map((key) => [key, valueBy(random)]));
  const tool = random.one(tools);
  return { tool, input, ...(random.below(3) === 0 ? { cwd: textBy(random), server: textBy(random) } : {}) };
}

function ruleBy(random: RandomChoices): string {
  if (random.below(4) === 0) return random.one(commands)[0];
  const content = random.one([`(${textBy(random)})`, `(domain:${textBy(random)})`, '', '(*)']);
  return `${random.one(tools)}${content}`;
}

/** `undefined` where the rule is refused, as it may be: by a TypeError that names its place. */
function policyWith(list: 'allow' | 'deny' | 'ask', rule: string): PermissionPolicy | undefined {
  try {
    return policyOf({ [list]: [rule], cwd: '/srv', home: '/home/ann' });
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith(`\`permissions.${list}[0]\` `)) return undefined;
    throw error;
  }
}

describe('A policy with any rule and any call', () => {
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
});

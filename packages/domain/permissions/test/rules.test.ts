import { describe, expect, it } from 'vitest';
import { allow, launchRules } from '../src/index.ts';
import { decide, request } from './requests.ts';
import { policyOf, serviceOf } from './policy-of.ts';

const approver = (): ReturnType<typeof allow> => allow();

describe('A rule for an MCP server', () => {
  it.each(['mcp__calc', 'mcp__calc__*'])('covers all tools of the server: %s', async (rule) => {
    expect(await decide({ allow: [rule] }, 'mcp__calc__add')).toMatchObject({ behavior: 'allow' });
    expect(await decide({ deny: [rule], approver }, 'mcp__calc__add')).toMatchObject({ behavior: 'deny' });
  });

  it('does not cover a server whose name only starts with the same letters', async () => {
    expect(await decide({ allow: ['mcp__calc'] }, 'mcp__calculator__add')).toMatchObject({ behavior: 'deny' });
    expect(await decide({ deny: ['mcp__calc'], approver }, 'mcp__calculator__add')).toMatchObject({
      behavior: 'allow',
    });
  });

  it('and one tool covers only that tool', async () => {
    expect(await decide({ allow: ['mcp__calc__add'] }, 'mcp__calc__add')).toMatchObject({ behavior: 'allow' });
    expect(await decide({ allow: ['mcp__calc__add'] }, 'mcp__calc__addAll')).toMatchObject({ behavior: 'deny' });
  });

  it('denies a tool with an ambiguous name, and allows it only when the request names that server', async () => {
    const ambiguous = 'mcp__a__b__c';
    expect(await decide({ deny: ['mcp__a'], approver }, ambiguous)).toMatchObject({ behavior: 'deny' });
    expect(await decide({ allow: ['mcp__a'] }, ambiguous)).toMatchObject({ behavior: 'deny' });
    const of = (name: string): ReturnType<typeof request> =>
      request(ambiguous, { mcp_server: { name, source: 'sdk' } });
    expect(await decide({ allow: ['mcp__a'] }, of('a'))).toMatchObject({ behavior: 'allow' });
    expect(await decide({ allow: ['mcp__a'] }, of('a__b'))).toMatchObject({ behavior: 'deny' });
    expect(await decide({ allow: ['mcp__a__b'] }, of('a b'))).toMatchObject({ behavior: 'deny' });
    expect(await decide({ allow: ['mcp__a__b'] }, of('a__b'))).toMatchObject({ behavior: 'allow' });
  });

  it('matches a server by the form of its name in the names of its tools', async () => {
    const asked = request('mcp__my_server__add', { mcp_server: { name: 'my server', source: 'sdk' } });
    expect(await decide({ allow: ['mcp__my_server'] }, asked)).toMatchObject({ behavior: 'allow' });
  });
});

describe('A rule with content', () => {
  it('denies what it may cover, and allows nothing that the agent requests: the agent has the rule itself', async () => {
    const asked = request('Bash', { input: { command: 'npm test a' } });
    expect(await decide({ allow: ['Bash(npm test *)'] }, asked)).toMatchObject({ behavior: 'deny' });
    expect(await decide({ deny: ['Bash(npm *)'], approver }, asked)).toMatchObject({
      behavior: 'deny',
      message: 'Bash is denied by the rule "Bash(npm *)".',
    });
  });

  it('that is only a star covers every call of the tool', async () => {
    expect(await decide({ allow: ['Bash(*)'] }, 'Bash')).toMatchObject({ behavior: 'allow' });
    expect(await decide({ deny: ['Bash(*)'], approver }, 'Bash')).toMatchObject({ behavior: 'deny' });
  });
});

describe('A rule that would cover nothing', () => {
  it.each([
    ['Write(src/**)', 'would cover nothing: rules with a path are written as "Edit(path)", which covers Write too'],
    ['Read(*.{env,pem})', 'would cover nothing: the agent expands no braces, no variable'],
    ['Edit($HOME/.ssh/**)', 'would cover nothing: the agent expands no braces, no variable'],
    ['Read(${HOME}/x)', 'would cover nothing: the agent expands no braces, no variable'],
    ['Read(~root/.ssh)', 'would cover nothing: the agent expands no braces, no variable'],
    ['Grep(src/**)', 'would cover nothing: rules with a path are written as "Read(path)", which covers Grep too'],
    ['WebFetch(example.com)', 'needs a domain in its parentheses'],
    ['WebFetch(domain:https://x.y)', 'needs a domain in its parentheses'],
    ['mcp__calc__add(1)', 'has content, which rules for tools of MCP servers cannot have'],
    ['Nope(x)', 'has content, which rules for this tool cannot have'],
    ['Bash(:*)', 'names no command in its parentheses; "Bash" alone covers all'],
    ['Bash( )', 'names no command in its parentheses'],
    ['Read(!x)', 'has no path that the agent understands in its parentheses'],
    ['Read(x:*)', 'has no path that the agent understands'],
    ['Read(../x)', 'has no path that the agent understands'],
  ])('is refused with its place and the reason, in each list: %s', (rule, reason) => {
    for (const list of ['allow', 'deny', 'ask'] as const)
      expect(() => policyOf({ [list]: ['Bash', rule] })).toThrow(`\`permissions.${list}[1]\` ${reason}`);
  });

  it.each(['*', 'Ba*', 'mcp__*', 'mcp__c*__add', 'mcp__c*', 'xmcp__c__add*', 'mcp__c__a*d'])(
    'is an allow rule for tools that it does not name: %s',
    (rule) => {
      expect(() => policyOf({ allow: [rule] })).toThrow('`permissions.allow[0]` has a wildcard in the name of a tool');
      expect(() => policyOf({ deny: [rule], ask: [rule] })).not.toThrow();
      expect(() => policyOf({ deny: [`${rule}(x)`] })).toThrow('which a rule with content cannot have');
    },
  );

  it.each([
    'sk-secret rm',
    'WebFetch(sk-secret)',
    'Nope(sk-secret)',
    'mcp__a__b(sk-secret)',
    'Read(!sk-secret)',
    'Ba*(sk-secret)',
  ])('is not shown in the error, since it may be a secret: %s', (rule) => {
    let message = '';
    try {
      void policyOf({ deny: [rule] });
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^TypeError: `permissions\.deny\[0\]` /);
    expect(message).not.toContain('sk-secret');
  });
});

describe('launchRules()', () => {
  it('returns every deny rule and every ask rule', () => {
    const rules = {
      allow: ['Read', 'Bash(npm test *)'],
      deny: ['Bash(rm *)', 'Write', 'mcp__web'],
      ask: ['Bash(git push *)'],
    };
    expect(launchRules(rules)).toEqual({
      disallowedTools: ['Bash(rm *)', 'Write', 'mcp__web'],
      askedTools: ['Bash(git push *)'],
    });
  });

  it('returns empty lists when there are no rules', () => {
    expect(launchRules({})).toEqual({ disallowedTools: [], askedTools: [] });
  });
});

describe('A malformed rule', () => {
  it.each([
    '',
    'Bash(',
    'Bash()',
    'mcp__',
    'mcp__calc__',
    'Ba.sh',
    'sk-1;rm',
    'Bash(x)y',
    'Bash (rm *)',
    '(rm *)',
    'Bash,Read',
    ' Bash',
  ])('is refused at construction with its place: "%s"', (rule) => {
    expect(() => serviceOf({ deny: ['Read', rule] })).toThrow(TypeError);
    expect(() => serviceOf({ deny: ['Read', rule] })).toThrow('`permissions.deny[1]` is a text that is no rule');
    expect(() => launchRules({ ask: [rule] })).toThrow('`permissions.ask[0]` is a text that is no rule');
  });

  it('from an untyped program is refused too', () => {
    const untyped: unknown[] = [42];
    expect(() => serviceOf({ allow: untyped as string[] })).toThrow('`permissions.allow[0]` is a number');
    const text: unknown = 'Bash';
    expect(() => serviceOf({ allow: text as string[] })).toThrow(
      '`permissions.allow` must be a list of rules, not a string.',
    );
    expect(() => serviceOf({ approver: text as () => null })).toThrow('The approver must be a function');
  });

  it.each([null, '', false, new Set(['Bash']), { 0: 'Bash' }])(
    'list is refused instead of denying nothing: %o',
    (deny) => {
      expect(() => serviceOf({ deny: deny as never })).toThrow('`permissions.deny` must be a list of rules, not '); // untyped
      expect(() => launchRules({ deny: deny as never })).toThrow('`permissions.deny` must be a list of rules, not '); // untyped
    },
  );

  it.each([[['Bash']], [new Map([['deny', ['Bash']]])], ['Bash'], [null]])(
    'set is refused instead of denying nothing: %o',
    (rules) => {
      expect(() => launchRules(rules as never)).toThrow('must be an object with the lists'); // untyped
    },
  );

  it('with a hole is refused', () => {
    const holed: string[] = [];
    holed[1] = 'Bash';
    expect(() => launchRules({ deny: holed })).toThrow('`permissions.deny[0]` is undefined');
  });
});

import { describe, expect, it } from 'vitest';
import { allow, launchRules, PermissionService } from '../src/index.ts';
import { decide, request } from './requests.ts';

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
  it('neither allows nor denies here, since the CLI judges it', async () => {
    expect(await decide({ allow: ['Bash(npm test *)'] }, 'Bash')).toMatchObject({ behavior: 'deny' });
    expect(await decide({ deny: ['Bash(rm *)'], approver }, 'Bash')).toMatchObject({ behavior: 'allow' });
  });

  it('that is only a star covers every call of the tool', async () => {
    expect(await decide({ allow: ['Bash(*)'] }, 'Bash')).toMatchObject({ behavior: 'allow' });
    expect(await decide({ deny: ['Bash(*)'], approver }, 'Bash')).toMatchObject({ behavior: 'deny' });
  });
});

describe('launchRules()', () => {
  it('returns every deny rule, and the allow rules with content', () => {
    const rules = {
      allow: ['Read', 'Bash(npm test *)', 'mcp__calc', 'Bash(*)'],
      deny: ['Bash(rm *)', 'Write', 'mcp__web'],
    };
    expect(launchRules(rules)).toEqual({
      allowedTools: ['Bash(npm test *)'],
      disallowedTools: ['Bash(rm *)', 'Write', 'mcp__web'],
    });
  });

  it('returns empty lists when there are no rules', () => {
    expect(launchRules({})).toEqual({ allowedTools: [], disallowedTools: [] });
  });
});

describe('A malformed rule', () => {
  it.each(['', 'Bash(', 'Bash()', 'Bash (rm *)', '(rm *)', 'Bash,Read', ' Bash'])(
    'is refused at construction with its place: "%s"',
    (rule) => {
      expect(() => new PermissionService({ deny: ['Read', rule] })).toThrow(TypeError);
      expect(() => new PermissionService({ deny: ['Read', rule] })).toThrow('deny[1] is a text that is no rule');
      expect(() => launchRules({ allow: [rule] })).toThrow('allow[0] is a text that is no rule');
    },
  );

  it('from an untyped program is refused too', () => {
    const untyped: unknown[] = [42];
    expect(() => new PermissionService({ allow: untyped as string[] })).toThrow('allow[0] is a number');
    const text: unknown = 'Bash';
    expect(() => new PermissionService({ allow: text as string[] })).toThrow('allow must be a list');
    expect(() => new PermissionService({ approver: text as () => null })).toThrow('The approver must be a function');
  });

  it.each([null, '', false, new Set(['Bash']), { 0: 'Bash' }])(
    'list is refused instead of denying nothing: %o',
    (deny) => {
      expect(() => new PermissionService({ deny: deny as never })).toThrow('deny must be a list'); // untyped
      expect(() => launchRules({ deny: deny as never })).toThrow('deny must be a list'); // untyped
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
    expect(() => launchRules({ deny: holed })).toThrow('deny[0] is undefined');
  });
});

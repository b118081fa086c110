import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../src/index.ts';
import { policyOf, type PolicyOptions } from './policy-of.ts';

const places = { cwd: '/srv/app', home: '/home/ann' };

const isDenied = (rule: string, call: ToolCall, where: PolicyOptions = places): boolean =>
  policyOf({ ...where, deny: [rule] }).decide(call).decision === 'deny';

const isAllowed = (rule: string, call: ToolCall, where: PolicyOptions = places): boolean =>
  policyOf({ ...where, allow: [rule] }).decide(call).decision === 'allow';

const reading = (file_path: unknown): ToolCall => ({ tool: 'Read', input: { file_path } });

// The real CLI, which has the rule, asks about the first ones: they name files outside its folder, or write to a file.
describe('An allow rule for a command', () => {
  const bash = (command: string): ToolCall => ({ tool: 'Bash', input: { command } });

  it.each([
    'touch /tmp/a',
    'touch "/tmp/a b"',
    'touch ~/a',
    'touch ../a',
    'touch src/../../a',
    'touch --reference=/etc/hosts a',
    'touch a > out.txt',
    'touch a 2>> out.txt',
  ])('is not sure to cover what the agent asks about nevertheless: %s', (command) => {
    for (const rule of ['Bash(touch *)', `Bash(${command})`]) expect(isAllowed(rule, bash(command)), rule).toBe(false);
    expect(isDenied('Bash(touch *)', bash(command))).toBe(true);
  });

  it.each(['touch a', 'touch /srv/app/a', 'touch src/../a', 'touch a..b', 'touch a 2>&1'])(
    'covers what concerns its folder, or no file: %s',
    (command) => {
      expect(isAllowed('Bash(touch *)', bash(command))).toBe(true);
      expect(isAllowed('Bash(touch *)', bash(command), {})).toBe(true);
    },
  );
});

describe('A rule with a path', () => {
  it('reads each member that may be the path: which of them the tool reads is unknown', () => {
    const grep = (input: ToolCall['input']): ToolCall => ({ tool: 'Grep', input });
    expect(isDenied('Read(.env)', grep({ path: '.env', file_path: 'x' }))).toBe(true);
    expect(isDenied('Read(.env)', grep({ path: '.env', file_path: null }))).toBe(true);
    expect(isDenied('Read(.env)', grep({ path: 'x', notebook_path: 5 }))).toBe(true);
    expect(isDenied('Read(.env)', grep({ path: 'y', file_path: 'x' }))).toBe(false);
    expect(isAllowed('Read(src/**)', grep({ path: '/etc', file_path: '/srv/app/src/a' }))).toBe(false);
  });

  // As the real CLI denies them.
  it.each([
    ['Read(.env)', '/srv/app/.env', true],
    ['Read(.env)', '/srv/app/src/.env', true],
    ['Read(.env)', '.env', true],
    ['Read(.env)', './src/../.env', true],
    ['Read(./.env)', '/srv/app/.env', true],
    ['Read(/.env)', '/srv/app/.env', true],
    ['Read(/.env)', '/srv/app/src/.env', false],
    ['Read(.env)', '/etc/.env', false],
    ['Read(src/**)', '/srv/app/src/a/b.ts', true],
    ['Read(src/**)', '/srv/app/src', true],
    ['Read(src)', '/srv/app/src/b.ts', true],
    ['Read(src/*)', '/srv/app/src/a/b.ts', true],
    ['Read(src/**)', '/srv/app/a.txt', false],
    ['Read(src/**)', '/srv/application/src/b.ts', false],
    ['Read(*.ts)', '/srv/app/src/a/B.TS', true],
    ['Read(SRC/**)', '/srv/app/src/b.ts', true],
    ['Read(s[rx]c/b.ts)', '/srv/app/src/b.ts', true],
    ['Read(s[!x]c/b.ts)', '/srv/app/src/b.ts', true],
    ['Read(s[a-q]c/b.ts)', '/srv/app/src/b.ts', false],
    ['Read(src/?.ts)', '/srv/app/src/b.ts', true],
    ['Read(src/?.ts)', '/srv/app/src/bb.ts', false],
    ['Read(//etc/**)', '/etc/passwd', true],
    ['Read(//etc/**)', '/srv/app/../../etc/passwd', true],
    ['Read(//etc/**)', '/srv/app/etc/passwd', false],
    ['Read(//**/b.ts)', '/anywhere/b.ts', true],
    ['Read(~/x)', '~/x', true],
    ['Read(~/x)', '/home/ann/x', true],
    ['Read(~/x)', '/home/bob/x', false],
    ['Read(//c/windows/**)', 'C:\\Windows\\system.ini', true],
    ['Read(C:/windows/**)', 'c:/windows/system.ini', true],
    ['Read(/srv/app/src/**)', '/srv/app/src/b.ts', false],
    // As other systems read a path.
    ['Read(.env)', '.env.', true],
    ['Read(.env)', '/srv/app/.env . ', true],
    ['Read(.env)', '.env::$DATA', true],
    ['Read(.env)', 'src/.env:x', true],
    ['Read(.env)', '.environment', false],
    ['Read(src/**)', 'src./b.ts', true],
    ['Read(//c/windows/**)', '\\\\?\\C:\\windows\\system.ini', true],
    ['Read(//etc/**)', '/etc/x\\..\\..\\y', true],
    ['Read(caf\u00e9)', 'cafe\u0301', true],
    ['Read(cafe\u0301/**)', '/srv/app/caf\u00e9/x', true],
    ['Read(cafe)', 'caf\u00e9', false],
  ])('%s denies reading %s: %s', (rule, path, expected) => {
    expect(isDenied(rule, reading(path))).toBe(expected);
  });

  it('covers the tools that do the same, by each of their inputs', () => {
    const path = '/srv/app/src/a';
    for (const call of [
      { tool: 'Write', input: { file_path: path } },
      { tool: 'Edit', input: { file_path: path } },
      { tool: 'NotebookEdit', input: { notebook_path: path } },
    ]) {
      expect(isDenied('Edit(src/**)', call), call.tool).toBe(true);
      expect(isAllowed('Edit(/src/**)', call), call.tool).toBe(true);
      // What must not be read must not be edited.
      expect(isDenied('Read(src/**)', call), call.tool).toBe(true);
      expect(isAllowed('Read(/src/**)', call), call.tool).toBe(false);
    }
    expect(isDenied('Edit(src/**)', reading(path))).toBe(false);
    expect(isDenied('Read(src/**)', { tool: 'Grep', input: { pattern: 'x', path } })).toBe(true);
    expect(isDenied('Read(/**)', { tool: 'Glob', input: { pattern: '*' } })).toBe(true);
  });

  it('denies what it may cover, and allows what it surely covers, without a folder', () => {
    expect(isDenied('Read(.env)', reading('/any/.env'), {})).toBe(true);
    expect(isDenied('Read(~/x)', reading('/any/x'), {})).toBe(true);
    expect(isDenied('Read(/src/**)', reading('/any/src/a'), {})).toBe(true);
    expect(isAllowed('Read(/src/**)', reading('/any/src/a'), {})).toBe(false);
    expect(isDenied('Read(//etc/**)', reading('/any/etc/a'), {})).toBe(false);
  });

  it('begins where the agent works at the moment, too', () => {
    const call = { ...reading('src/a'), cwd: '/elsewhere' };
    expect(isDenied('Read(/src/**)', call)).toBe(true);
    expect(isDenied('Read(//elsewhere/**)', call)).toBe(true);
    expect(isAllowed('Read(//elsewhere/**)', call)).toBe(false);
  });

  it.each([undefined, null, 5, ['x'], {}])('denies a call with something else for a path: %s', (path) => {
    expect(isDenied('Read(//**)', reading(path))).toBe(true);
    expect(isAllowed('Read(//etc/**)', reading(path))).toBe(false);
  });

  it('allows with a slash in its middle only from the folder on', () => {
    expect(isAllowed('Read(src/a)', reading('/srv/app/src/a'))).toBe(true);
    expect(isAllowed('Read(src/a)', reading('/srv/app/x/src/a'))).toBe(false);
    expect(isAllowed('Read(*.ts)', reading('/srv/app/x/a.ts'))).toBe(true);
    expect(isAllowed('Read(*)', reading('/etc/passwd'))).toBe(false);
  });
});

const fetching = (url: unknown): ToolCall => ({ tool: 'WebFetch', input: { url } });

describe('A rule with a domain', () => {
  // As the real CLI denies them.
  it.each([
    ['domain:example.com', 'https://example.com/x', true],
    ['domain:example.com', 'https://EXAMPLE.com/', true],
    ['domain:EXAMPLE.com', 'https://example.com/', true],
    ['domain:example.com', 'https://example.com./', true],
    ['domain:example.com', 'https://user:word@example.com/', true],
    ['domain:example.com', 'http://example.com:8080/', true],
    ['domain:example.com', 'https://www.example.com/', false],
    ['domain:example.com', 'https://notexample.com/', false],
    ['domain:example.com', 'https://example.com.evil.test/', false],
    ['domain:example.com', 'https://evil.test/?example.com', false],
    ['domain:example.com', 'https://example.com@evil.test/', false],
    ['domain:*.example.com', 'https://a.b.example.com/', true],
    ['domain:*.example.com', 'https://example.com/', false],
    ['domain:*', 'https://anything.test/', true],
  ])('%s covers %s: %s', (domain, url, expected) => {
    expect(isDenied(`WebFetch(${domain})`, fetching(url))).toBe(expected);
    expect(isAllowed(`WebFetch(${domain})`, fetching(url))).toBe(expected);
  });

  it.each([undefined, 5, 'example.com', 'https://', ''])(
    'denies and does not allow what is not an address: %s',
    (url) => {
      expect(isDenied('WebFetch(domain:other.test)', fetching(url))).toBe(true);
      expect(isAllowed('WebFetch(domain:*)', fetching(url))).toBe(false);
    },
  );
});

describe('A rule with a name', () => {
  it('covers a kind of subagent, under the old name of the tool as well', () => {
    const call = (tool: string, subagent_type: unknown): ToolCall => ({ tool, input: { subagent_type } });
    for (const rule of ['Agent(Explore)', 'Task(Explore)']) {
      expect(isDenied(rule, call('Agent', 'Explore'))).toBe(true);
      expect(isDenied(rule, call('Task', 'Explore'))).toBe(true);
      expect(isDenied(rule, call('Agent', 'Plan'))).toBe(false);
      expect(isDenied(rule, call('Agent', undefined))).toBe(true);
      expect(isAllowed(rule, call('Agent', undefined))).toBe(false);
    }
  });

  it('covers a skill, with any arguments if it ends in a star', () => {
    const call = (skill: unknown, args?: string): ToolCall => ({ tool: 'Skill', input: { skill, args } });
    expect(isDenied('Skill(pdf)', call('pdf'))).toBe(true);
    expect(isDenied('Skill(pdf *)', call('pdf', 'a b'))).toBe(true);
    expect(isDenied('Skill(pdf)', call('docx'))).toBe(false);
    expect(isAllowed('Skill(pdf)', call(5))).toBe(false);
  });
});

describe('A rule for several tools', () => {
  it('denies each tool of the pattern, or passes it to a person', () => {
    const call = (tool: string): ToolCall => ({ tool, input: {} });
    expect(isDenied('*', call('Anything'))).toBe(true);
    expect(isDenied('mcp__*', call('mcp__calc__add'))).toBe(true);
    expect(isDenied('mcp__*', call('Bash'))).toBe(false);
    expect(isDenied('mcp__calc__get*', call('mcp__calc__getAll'))).toBe(true);
    expect(isDenied('mcp__calc__get*', call('mcp__calc__set'))).toBe(false);
    expect(isAllowed('mcp__calc__get*', call('mcp__calc__getAll'))).toBe(true);
    expect(isAllowed('mcp__calc__get*', call('mcp__calc__GETALL'))).toBe(false);
    expect(isAllowed('mcp__calc__get*', call('mcp__calc__get__x'))).toBe(false);
  });
});

describe('A rule for a shell', () => {
  it('covers the other tools that run commands', () => {
    const call = (tool: string, command: unknown): ToolCall => ({ tool, input: { command } });
    expect(isDenied('Bash(rm *)', call('Monitor', 'rm x'))).toBe(true);
    expect(isDenied('Bash(rm *)', call('Monitor', 'ls'))).toBe(false);
    expect(isDenied('Bash', call('Monitor', 'ls'))).toBe(true);
    expect(isDenied('Bash(*)', call('Monitor', 'ls'))).toBe(true);
    expect(isAllowed('Bash', call('Monitor', 'ls'))).toBe(false);
    expect(isDenied('Monitor', call('Bash', 'ls'))).toBe(false);
    expect(isDenied('PowerShell(rm *)', call('PowerShell', 'ls; r`m x'))).toBe(true);
    expect(isDenied('PowerShell(rm *)', call('PowerShell', 'ls'))).toBe(false);
    for (const command of [
      'Remove-Item x',
      'ls; del x',
      'ls|ri x',
      '& ("r" + "m") x',
      '& $x y',
      '. $x',
      'iex $x',
      'i`ex x',
      '& {r`m x}',
    ])
      expect(isDenied('PowerShell(rm *)', call('PowerShell', command)), command).toBe(true);
    for (const command of [
      'powershell -enc cgBtAA==',
      'powershell -EncodedCommand x',
      'sal q zop; q x',
      'RM.EXE x',
      '&"r`m" x',
    ])
      expect(isDenied('PowerShell(rm *)', call('PowerShell', command)), command).toBe(true);
    for (const command of [
      'Get-Item x | % { $_.Name }',
      './x.ps1 a',
      'npm test && npm run build',
      'git commit -m "a & b"',
    ])
      expect(isDenied('PowerShell(Remove-Item *)', call('PowerShell', command)), command).toBe(false);
    expect(isAllowed('PowerShell(ls *)', call('PowerShell', 'ls x'))).toBe(true);
    expect(isAllowed('PowerShell(ls *)', call('PowerShell', 'ls @(rm x)'))).toBe(false);
  });

  it.each([undefined, 5, ['rm'], {}])('denies a call with something else for a command: %s', (command) => {
    expect(isDenied('Bash(rm *)', { tool: 'Bash', input: { command } })).toBe(true);
    expect(isAllowed('Bash(rm *)', { tool: 'Bash', input: { command } })).toBe(false);
  });
});

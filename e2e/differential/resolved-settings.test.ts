import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ResolveSettingsOptions } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsCases } from './settings-cases.ts';
import { sdks } from './sdks.ts';

const before = { configDir: process.env['CLAUDE_CONFIG_DIR'], cwd: process.cwd() };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'resolved-settings-'));
  await mkdir(path.join(root, 'work/.claude'), { recursive: true });
  await mkdir(path.join(root, 'home/.claude'), { recursive: true });
  // The official package asks for the home once in a process, and for this at each call.
  process.env['CLAUDE_CONFIG_DIR'] = path.join(root, 'home/.claude');
});

afterEach(async () => {
  if (before.configDir === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
  else process.env['CLAUDE_CONFIG_DIR'] = before.configDir;
  await rm(root, { recursive: true, force: true });
});

async function put(file: string, content: unknown): Promise<void> {
  const whole = path.join(root, file);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, typeof content === 'string' ? content : JSON.stringify(content));
}

/** What both answer, as JSON: names without a value are not compared. */
async function both(options: unknown = {}): Promise<readonly [unknown, unknown]> {
  const given = { cwd: path.join(root, 'work'), ...(options as ResolveSettingsOptions) };
  const answers = [await sdks.official(), await sdks.ours()].map(async ({ resolveSettings }) => {
    const answer: unknown = await resolveSettings(given);
    return JSON.parse(JSON.stringify(answer)) as unknown;
  });
  return [await answers[0], await answers[1]];
}

const files = {
  user: 'home/.claude/settings.json',
  project: 'work/.claude/settings.json',
  local: 'work/.claude/settings.local.json',
};

describe('resolveSettings(), with a wrong value in each place of each setting', () => {
  /** Where pairs of variables cannot be read in a policy, pairs are invented that no machine has; here there are none. */
  const isWanted = (theirs: unknown): boolean => /"_(?:INVALID|PARENT)_PAIR_/.test(JSON.stringify(theirs));

  it.each<[string, (settings: object) => Promise<object> | object]>([
    ['a file of a person', async (settings) => (await put(files.user, settings), { settingSources: ['user'] })],
    ['a policy of the server', (settings) => ({ settingSources: [], serverManagedSettings: settings })],
    ['a policy of the program', (settings) => ({ settingSources: [], managedSettings: settings })],
  ])('reads %s as in the official package', async (_, optionsFor) => {
    let count = 0;
    const differing: string[] = [];
    for (const settings of settingsCases()) {
      const [theirs, ours] = await both(await optionsFor(settings));
      count += 1;
      if (!isDeepStrictEqual(theirs, ours) && !isWanted(theirs))
        differing.push(JSON.stringify([settings, theirs, ours]));
    }
    expect(differing).toEqual([]);
    expect(count).toBeGreaterThan(1500);
  });
});

describe('resolveSettings() joins as in the official package', () => {
  const one = {
    permissions: { allow: ['A', 'B'], deny: ['D'] },
    env: { X: '1' },
    model: 'u',
    foo: [1, { a: 1 }],
    q: { a: [1] },
  };
  const two = {
    permissions: { allow: ['B', 'C'], defaultMode: 'plan' },
    env: { Y: '2' },
    foo: [1, 2, { a: 1 }],
    q: { a: null },
  };
  const three = {
    permissions: { allow: ['L'] },
    env: { X: '3' },
    foo: { b: 1 },
    q: [1],
    fallbackModel: ['l'],
    model: null,
  };
  const managed = {
    availableModels: ['m'],
    permissions: { deny: ['M'] },
    fallbackModel: ['m'],
    hooks: { Stop: [{ hooks: [] }] },
  };

  it.each<[string, { [file: string]: unknown }, object]>([
    ['three files', { user: one, project: two, local: three }, {}],
    [
      'the same in another order of `settingSources`',
      { user: one, project: two },
      { settingSources: ['project', 'user'] },
    ],
    ['some of them', { user: one, project: two, local: one }, { settingSources: ['local'] }],
    ['a name that is no source', { user: one }, { settingSources: ['user', 'nope'] }],
    [
      'files and a policy',
      { user: { ...one, availableModels: ['u'] }, project: two },
      { serverManagedSettings: managed },
    ],
    [
      'two policies',
      { user: one },
      { serverManagedSettings: managed, managedSettings: { permissions: { deny: ['P'] } } },
    ],
    [
      'two policies that are joined',
      {},
      {
        serverManagedSettings: { ...managed, parentSettingsBehavior: 'merge' },
        managedSettings: { permissions: { deny: ['P'] }, availableModels: ['p'], strictPluginOnlyCustomization: true },
      },
    ],
    [
      'a policy of the program that gives',
      {},
      { managedSettings: { model: 'x', env: { A: 'b' }, permissions: { defaultMode: 'plan' } } },
    ],
    ['an empty policy', { user: one }, { serverManagedSettings: {}, managedSettings: {} }],
    ['files of which one is broken', { user: '{nope', project: two }, {}],
    ['files with what is no object', { user: '[1]', project: 'null', local: '5' }, {}],
    ['empty files', { user: '', project: '  \n', local: '{}' }, {}],
    ['a file with a mark of its encoding', { user: `\u{feff}${JSON.stringify(one)}` }, {}],
    ['a file with comments', { user: '// a\n{"model":"a"}' }, {}],
    ['names that objects have', { user: '{"__proto__":{"a":1},"model":"a","model":"b"}', project: two }, {}],
    ['no files', {}, {}],
    ['a folder that is not there', { user: one }, { cwd: '/none/at/all' }],
  ])('%s', async (_, given, options) => {
    for (const [source, content] of Object.entries(given)) await put(files[source as keyof typeof files], content);
    const [theirs, ours] = await both(options);
    expect(ours).toEqual(theirs);
  });

  it('a folder where a file should be, a link, and `CLAUDE_CONFIG_DIR`', async () => {
    await mkdir(path.join(root, files.user));
    await put('else/settings.json', one);
    await symlink(path.join(root, 'else/settings.json'), path.join(root, files.project));
    const [theirs, ours] = await both();
    expect(ours).toEqual(theirs);
    process.env['CLAUDE_CONFIG_DIR'] = path.join(root, 'else');
    const [theirsElsewhere, oursElsewhere] = await both();
    expect(oursElsewhere).toEqual(theirsElsewhere);
    expect(oursElsewhere).toMatchObject({ sources: [{ source: 'user' }, { source: 'project' }] });
  });

  it('a relative folder', async () => {
    await put(files.project, one);
    process.chdir(root);
    try {
      const [theirs, ours] = await both({ cwd: 'work' });
      expect(ours).toEqual(theirs);
    } finally {
      process.chdir(before.cwd);
    }
  });
});

describe('resolveSettings() leaves out the same rules of permissions', () => {
  const names = [
    'x',
    'X',
    '5',
    '_a',
    'é',
    'ß',
    'A b',
    'Bash',
    'bash',
    'Read',
    'Edit',
    'Glob',
    'Grep',
    'NotebookEdit',
    'WebFetch',
    'WebSearch',
  ];
  const more = [
    '*',
    'A*',
    'a*',
    'mcp__a',
    'mcp__a__b',
    'mcp__a__*',
    'mcp__*',
    'mcp__a*__b',
    'mcp__a_*',
    'Agent',
    'PowerShell',
    'a:b',
    'Bash:*',
  ];
  const contents = [
    '',
    '()',
    '(',
    ')',
    '(a',
    '(a))',
    '((a))',
    '( )',
    '(*)',
    '(:*)',
    '(a:*)',
    '(a:* b)',
    '(a*)',
    '(a?)',
    '(a)b',
    '(a)(b)',
    '(a) ',
  ];
  const odd = [
    '(a\\)',
    '(a\\))',
    '\\(a)',
    '\\(a\\)',
    '(\\\\)',
    '(domain:a.b)',
    '(domain:)',
    '(domain:https://a)',
    '(https://a)',
    '(\n)',
    '(a,b)',
  ];
  const rules = [...names, ...more].flatMap((name) => [...contents, ...odd].flatMap((content) => [name + content]));

  it.each(['allow', 'deny', 'ask'])('%s', async (list) => {
    await put(files.user, { permissions: { [list]: [...rules, '', ' ', 5, null] } });
    const [theirs, ours] = await both();
    expect(ours).toEqual(theirs);
  });
});

import { describe, expect, it } from 'vitest';
import type { LaunchOptions } from '@hexagent/ports';
import { toLaunch } from '@hexagent/cli-launch';

/** The error for options of an untyped program. */
function refusalOf(options: object): unknown {
  try {
    toLaunch({ env: {}, ...options });
  } catch (error) {
    return error;
  }
  return 'It was accepted.';
}

class Rules {
  get permissions(): object {
    return { deny: ['Bash'] };
  }
}

/** Options that restrict the agent, each with values that it would not receive, or would read as the default. */
const rows: Readonly<Partial<Record<keyof LaunchOptions, readonly unknown[]>>> = {
  tools: ['Read', '', 'default', {}, { type: 'preset' }, { preset: 'claude_code' }, new Set(['Read']), 5, true, false],
  allowedTools: ['Read', new Set(['Read']), { Read: true }, 5, true, ['Read', undefined]],
  disallowedTools: ['Bash', '', new Set(['Bash']), { Bash: true }, 5, true, false, ['Bash', undefined], [['Bash']]],
  settingSources: ['project', '', new Set(['project']), {}, 5, true, false, [undefined]],
  settings: [
    5,
    true,
    false,
    ['deny'],
    new Map([['permissions', { deny: ['Bash'] }]]),
    new Rules(),
    { permissions: new Map([['deny', ['Bash']]]) },
    { permissions: { deny: new Set(['Bash']) } },
    { permissions: { deny: [undefined] } },
    { permissions: () => ({ deny: ['Bash'] }) },
    { permissions: { deny: ['Bash'], toJSON: () => undefined } },
    { toJSON: () => undefined },
    Object.assign([], { permissions: { deny: ['Bash'] } }),
  ],
  mcpServers: [new Map([['a', { command: 'a' }]]), new Set(), [{ command: 'a' }], 'a', 5, true],
  agents: [new Map([['a', {}]]), [{ description: 'd', prompt: 'p' }], 'a', 5, { a: { tools: new Set(['Read']) } }],
  extraArgs: [new Map([['strict-mcp-config', null]]), ['strict-mcp-config'], '--strict-mcp-config', 5],
  additionalDirectories: ['/a', new Set(['/a']), [5], [undefined], [['/a', '/b']], {}],
  permissionMode: ['Plan', ['plan'], {}, 5, true],
  allowDangerouslySkipPermissions: ['true', 'false', 1, {}, []],
  managedSettings: ['{}', ['deny'], new Map([['permissions', {}]]), { permissions: new Map() }, 5, true],
  skills: [
    'mine',
    '',
    { mine: true },
    new Set(['mine']),
    5,
    true,
    false,
    [''],
    [' mine'],
    ['a,b'],
    ['a(b)'],
    ['a\n'],
    [5],
  ],
  sandbox: [
    true,
    'on',
    ['network'],
    new Map([['enabled', true]]),
    { enabled: 'yes' },
    { enabled: null },
    { failIfUnavailable: 1 },
    { allowUnsandboxedCommands: 'false' },
    { network: [] },
    { network: { allowedDomains: 'example.com' } },
    { filesystem: { denyRead: [5] } },
    { excludedCommands: 'git' },
  ],
  permissionPrompts: ['nobody', '', true, ['none']],
  permissionPromptToolName: [5, true, ['mcp__a__b']],
  outputFormat: ['json', { type: 'text' }, { type: 'json_schema' }, { type: 'json_schema', schema: '{}' }, []],
  plugins: ['/a', { type: 'local', path: '/a' }, [null], ['/a'], [{ path: '/a' }], [{ type: 'local', path: '' }], true],
  pluginDelivery: ['file', '', true],
  mcpServersDelivery: ['file', '', true],
  toolAliases: [[], 'a', { a: 5 }, new Map([['a', 'b']]), 5],
  toolConfig: ['html', [], { askUserQuestion: 'html' }, { askUserQuestion: { previewFormat: 'text' } }],
  taskBudget: [100, { total: 0 }, { total: 1.5 }, { total: '5' }, {}],
  projectConfigRoot: ['below', './below', 5],
  planModeInstructions: [5, true, ['a']],
  promptSuggestions: ['yes', 1],
  thinkingDisplay: ['all', true],
  persistSession: ['false', 0, '', {}],
};

describe('A wrong value of an option that restricts the agent', () => {
  const values = Object.entries(rows).flatMap(([option, list]) => list.map((value) => ({ option, value })));
  it.each(values)('is refused with the name of the option: $option: $value', ({ option, value }) => {
    const error = refusalOf({ [option]: value });
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(new RegExp(`^TypeError: ${option}\\b`));
  });
});

describe('A switch that restricts the agent', () => {
  // As in the official package, every truthy value turns it on.
  it.each([1, 'yes', {}])('is on for %j', (value) => {
    const { args } = toLaunch({ env: {}, ...{ strictMcpConfig: value, forkSession: value } } as LaunchOptions); // untyped
    expect(args).toEqual(expect.arrayContaining(['--strict-mcp-config', '--fork-session']));
  });
});

describe('Settings that JSON can hold', () => {
  it.each([
    [Object.create(null, { model: { value: 'm', enumerable: true } }), '{"model":"m"}'],
    [new (class { model = 'm'; })(), '{"model":"m"}'], // prettier-ignore
    [{ model: undefined, env: { URL: new URL('http://x/') } }, '{"env":{"URL":"http://x/"}}'],
  ])('are written completely', (settings: object, content) => {
    const { args } = toLaunch({ env: {}, settings: settings as Record<string, unknown> });
    expect(args.at(-1)).toEqual({ name: 'settings.json', content });
  });

  it('and what travels in `initialize` are those of the call, whatever is done to the objects later', () => {
    const server = { command: 'x' };
    const agent = { description: 'd', prompt: 'p', tools: ['Read'] };
    const schema = { type: 'object' };
    const { initialize } = toLaunch({
      env: {},
      agents: { a: agent },
      mcpServers: { s: server },
      mcpServersDelivery: 'initialize',
      outputFormat: { type: 'json_schema', schema },
    });
    agent.tools.push('Bash');
    server.command = 'y';
    schema.type = 'string';
    expect(initialize).toMatchObject({
      agents: { a: { tools: ['Read'] } },
      mcpServers: { s: { command: 'x' } },
      jsonSchema: { type: 'object' },
    });
  });

  it('are read once: a getter cannot return another value after the check', () => {
    let count = 0;
    const options = {
      env: {},
      get disallowedTools() {
        return (count += 1) === 1 ? ['Bash'] : [];
      },
    };
    expect(toLaunch(options).args).toContain('--disallowedTools=Bash');
    expect(count).toBe(1);
  });
});

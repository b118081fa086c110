import { describe, expect, it } from 'vitest';
import type { InitializeFields, LaunchArgument, LaunchOptions } from '@hexagent/ports';
import { toLaunch } from '@hexagent/cli-launch';

type Options = Omit<LaunchOptions, 'env'>;

/** What these options add to a launch without options. */
function added(options: Options): { args: readonly LaunchArgument[]; initialize: InitializeFields } {
  const { args, initialize } = toLaunch({ env: {}, ...options });
  expect(args.slice(0, 5)).toEqual(['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']);
  return { args: args.slice(5), initialize };
}

const id = '4ad1ce90-610e-477d-b2cc-93cd646700ba';
const preset = { type: 'preset', preset: 'claude_code' } as const;

describe('An option that becomes an argument', () => {
  // The official SDK was run with each of these and wrote the same arguments, except where a comment states a difference.
  const rows: readonly [Options, readonly LaunchArgument[]][] = [
    [{}, []],
    [{ model: 'claude-x' }, ['--model=claude-x']],
    [{ model: '' }, []],
    [{ fallbackModel: 'a,b' }, ['--fallback-model=a,b']],
    [{ agent: 'reviewer' }, ['--agent=reviewer']],
    [{ effort: 'high' }, ['--effort=high']],
    [{ maxTurns: 3 }, ['--max-turns=3']],
    [{ maxTurns: 0 }, []],
    [{ maxBudgetUsd: 0.5 }, ['--max-budget-usd=0.5']],
    [{ thinking: { type: 'adaptive' } }, ['--thinking=adaptive']],
    [{ thinking: { type: 'enabled' } }, ['--thinking=adaptive']],
    [{ thinking: { type: 'enabled', budgetTokens: 4096 } }, ['--max-thinking-tokens=4096']],
    [{ thinking: { type: 'enabled', budgetTokens: 0 } }, ['--max-thinking-tokens=0']],
    [{ thinking: { type: 'disabled' } }, ['--thinking=disabled']],
    [
      { thinking: { type: 'adaptive' }, thinkingDisplay: 'omitted' },
      ['--thinking=adaptive', '--thinking-display=omitted'],
    ],
    [{ taskBudget: { total: 20_000 } }, ['--task-budget=20000']],
    // In the official package one argument with both, which the CLI takes for one name.
    [{ betas: ['a', 'b'] }, ['--betas=a', '--betas=b']],
    [{ betas: [] }, []],
    [{ skills: 'all' }, ['--allowedTools=Skill']],
    [{ skills: 'all', allowedTools: ['Skill', 'Read'] }, ['--allowedTools=Skill,Read']],
    [{ plugins: [{ type: 'local', path: '/a' }] }, ['--plugin-dir=/a']],
    [{ plugins: [{ type: 'local', path: '-b', skipMcpDiscovery: true }] }, ['--plugin-dir-no-mcp=-b']],
    [{ plugins: [], pluginDelivery: 'initialize' }, []],
    [{ permissionPromptToolName: 'mcp__a__b' }, ['--permission-prompt-tool=mcp__a__b']],
    [{ permissionPrompts: 'none' }, ['--permission-prompts=none']],
    [{ permissionPrompts: 'host' }, ['--permission-prompts=host']],
    [{ includeHookEvents: true }, ['--include-hook-events']],
    [{ managedSettings: { a: 1 }, managedSettingsDelivery: 'argv' }, ['--managed-settings', '{"a":1}']],
    [{ projectConfigRoot: '/project' }, ['--project-config-root=/project']],
    [{ projectConfigRoot: String.raw`C:\project` }, [String.raw`--project-config-root=C:\project`]],
    [{ debug: true }, ['--debug']],
    [{ debug: true, debugFile: '-log' }, ['--debug-file=-log']],
    [{ debug: false, debugFile: '' }, []],
    [{ allowedTools: ['Read', 'Bash(git *)'] }, ['--allowedTools=Read,Bash(git *)']],
    [{ allowedTools: [] }, []],
    [{ disallowedTools: ['WebFetch', 'Bash(rm *)'] }, ['--disallowedTools=WebFetch,Bash(rm *)']],
    [{ tools: ['Read', 'Edit'] }, ['--tools=Read,Edit']],
    [{ tools: [] }, ['--tools=']],
    [{ tools: preset }, ['--tools=default']],
    [{ asksPermission: true }, ['--permission-prompt-tool=stdio']],
    [{ asksPermission: false }, []],
    [{ permissionMode: 'acceptEdits' }, ['--permission-mode=acceptEdits']],
    [{ permissionMode: 'default' }, ['--permission-mode=default']],
    [{ permissionMode: 'plan' }, ['--permission-mode=plan']],
    [{ permissionMode: 'dontAsk' }, ['--permission-mode=dontAsk']],
    [{ permissionMode: 'auto' }, ['--permission-mode=auto']],
    [
      { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
      ['--permission-mode=bypassPermissions', '--allow-dangerously-skip-permissions'],
    ],
    [{ continue: true }, ['--continue']],
    [{ resume: id }, [`--resume=${id}`]],
    [{ resume: 'The title of a session' }, ['--resume=The title of a session']],
    [{ resume: '', sessionId: '' }, []],
    [{ resume: id, resumeSessionAt: id }, [`--resume=${id}`, `--resume-session-at=${id}`]],
    [
      { resume: id, resumeSessionAt: id, resumeDropsTurn: id },
      [`--resume=${id}`, `--resume-session-at=${id}`, `--resume-drops-turn=${id}`],
    ],
    [{ resume: id, forkSession: true }, [`--resume=${id}`, '--fork-session']],
    [{ resume: id, forkSession: true, sessionId: id }, [`--resume=${id}`, '--fork-session', `--session-id=${id}`]],
    [{ sessionId: id.toUpperCase() }, [`--session-id=${id.toUpperCase()}`]],
    [{ persistSession: false }, ['--no-session-persistence']],
    [{ persistSession: true }, []],
    [{ includePartialMessages: true }, ['--include-partial-messages']],
    [{ strictMcpConfig: true }, ['--strict-mcp-config']],
    [{ settingSources: ['user', 'project'] }, ['--setting-sources=user,project']],
    [{ settingSources: [] }, ['--setting-sources=']],
    [{ settings: '/etc/agent.json' }, ['--settings', '/etc/agent.json']],
    [{ settings: '' }, []],
    [{ additionalDirectories: ['/a', '-b'] }, ['--add-dir=/a', '--add-dir=-b']],
    [{ additionalDirectories: [] }, []],
    [
      { extraArgs: { debug: null, 'max-retries': '3', empty: '', dash: '-v' } },
      ['--debug', '--max-retries', '3', '--empty', '', '--dash=-v'],
    ],
    [{ mcpServers: {} }, []],
    [{ strictMcpConfig: undefined, model: undefined }, []],
  ];
  it.each(rows)('%j', (options, args) => {
    expect(added(options)).toEqual({ args, initialize: {} });
  });
});

describe('An option that may hold secrets', () => {
  const servers = {
    calc: { command: 'node', args: ['calc.mjs'], env: { KEY: 'secret' } },
    web: { type: 'http', url: 'https://x' },
  } as const;

  it('goes into a private file: the servers that the CLI dials', () => {
    // The official SDK writes this JSON into the argument itself, where every user of the machine can read it.
    expect(added({ mcpServers: servers }).args).toEqual([
      '--mcp-config',
      { name: 'mcp-config.json', content: JSON.stringify({ mcpServers: servers }) },
    ]);
  });

  it('goes into a private file: settings, as an object or as its JSON', () => {
    const file = { name: 'settings.json', content: '{"env":{"KEY":"secret"}}' };
    expect(added({ settings: { env: { KEY: 'secret' } } }).args).toEqual(['--settings', file]);
    expect(added({ settings: ' {"env": {"KEY": "secret"}}' }).args).toEqual(['--settings', file]);
    expect(added({ settings: {} }).args).toEqual(['--settings', { name: 'settings.json', content: '{}' }]);
  });
});

describe('The way in which servers and plugins travel', () => {
  const mcpServers = { a: { command: 'x' } };
  const plugins = [{ type: 'local', path: '/a', skipMcpDiscovery: true }] as const;

  it('goes into `initialize`: settings that rank above all others, however long', () => {
    const managedSettings = { env: { KEY: 'secret' }, long: 'x'.repeat(150_000) };
    expect(added({ managedSettings })).toEqual({
      args: ['--await-initialize', '--managed-settings-in-initialize'],
      initialize: { managedSettings },
    });
  });

  it('goes there where that is asked for: settings and deny rules, however long', () => {
    const disallowedTools = Array.from({ length: 9000 }, (_, index) => `Bash(tool-${index} *)`);
    const settings = { env: { KEY: 'secret' }, long: 'x'.repeat(150_000) };
    const delivery = { settingsDelivery: 'initialize', disallowedToolsDelivery: 'initialize' } as const;
    expect(added({ settings, disallowedTools, ...delivery })).toEqual({
      args: ['--await-initialize', '--initialize-fields=settings,disallowedTools'],
      initialize: { settings, disallowedTools },
    });
    // The CLI joins the rules with commas, and would make two of this one.
    expect(added({ disallowedTools: ['Bash(f(x), y)'], disallowedToolsDelivery: 'initialize' }).initialize).toEqual({});
    expect(added({ settings: '/a', settingsDelivery: 'initialize' })).toEqual({
      args: ['--settings', '/a'],
      initialize: {},
    });
  });

  it('may be the command line, which other users can read', () => {
    expect(added({ mcpServers, mcpServersDelivery: 'argv' })).toEqual({
      args: ['--mcp-config', '{"mcpServers":{"a":{"command":"x"}}}'],
      initialize: {},
    });
    expect(added({ plugins, pluginDelivery: 'argv' }).args).toEqual(['--plugin-dir-no-mcp=/a']);
  });

  it('may be `initialize`, for which the agent waits', () => {
    const delivery = { mcpServersDelivery: 'initialize', pluginDelivery: 'initialize' } as const;
    expect(added({ mcpServers, plugins, ...delivery })).toEqual({
      args: ['--await-initialize'],
      initialize: { mcpServers, plugins },
    });
    expect(added(delivery)).toEqual({ args: [], initialize: {} });
  });
});

describe('A schema of the output', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } };

  it('travels in both places, of which the CLI checks one', () => {
    expect(added({ outputFormat: { type: 'json_schema', schema } })).toEqual({
      args: [`--json-schema=${JSON.stringify(schema)}`],
      initialize: { jsonSchema: schema },
    });
  });

  it.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'])(
    'names its dialect where the CLI supports it: %s',
    (dialect) => {
      const known = dialect.includes('draft-07') ? { $schema: dialect } : {};
      expect(added({ outputFormat: { type: 'json_schema', schema: { ...schema, $schema: dialect } } })).toMatchObject({
        initialize: { jsonSchema: { ...known, ...schema } },
      });
      expect(added({ outputFormat: { type: 'json_schema', schema: { ...schema, $schema: dialect } } }).args).toEqual([
        expect.stringContaining(dialect.includes('draft-07') ? 'draft-07' : '={"type"'),
      ]);
    },
  );

  it('may have a hidden member, as zod gives it one', () => {
    const marked = Object.defineProperty({ ...schema }, '~standard', { value: {} });
    expect(added({ outputFormat: { type: 'json_schema', schema: marked } })).toMatchObject({
      initialize: { jsonSchema: schema },
    });
  });

  it('travels in `initialize` alone where it is too long for an argument', () => {
    const long = { type: 'object', description: 'x'.repeat(200_000) };
    expect(added({ outputFormat: { type: 'json_schema', schema: long } })).toEqual({
      args: [],
      initialize: { jsonSchema: long },
    });
  });
});

describe('A list of skills', () => {
  it('is a list of rules beside those of the program, each once, and a field', () => {
    expect(added({ skills: ['a b', 'p:s'], allowedTools: ['Read', 'Skill(p:s)'] })).toEqual({
      args: ['--allowedTools=Read,Skill(p:s),Skill(a b)'],
      initialize: { skills: ['a b', 'p:s'] },
    });
  });

  it('that is empty is a field alone', () => {
    expect(added({ skills: [] })).toEqual({ args: [], initialize: { skills: [] } });
  });
});

describe('A sandbox', () => {
  const file = (content: object) => ['--settings', { name: 'settings.json', content: JSON.stringify(content) }];

  it('that is on must be had, unless `failIfUnavailable` is off', () => {
    expect(added({ sandbox: { enabled: true } }).args).toEqual(
      file({ sandbox: { enabled: true, failIfUnavailable: true } }),
    );
    for (const sandbox of [{ enabled: true, failIfUnavailable: false }, { enabled: false }, { network: {} }, {}])
      expect(added({ sandbox }).args).toEqual(file({ sandbox }));
  });

  it('is joined with the settings, over which it wins', () => {
    const settings = { model: 'm', sandbox: { enabled: false, failIfUnavailable: false, network: {} } };
    expect(added({ settings, sandbox: { enabled: true } }).args).toEqual(
      file({ model: 'm', sandbox: { enabled: true, failIfUnavailable: false, network: {} } }),
    );
  });
});

describe('An option that becomes a variable of the environment', () => {
  it.each<readonly [Options, object]>([
    [{ enableFileCheckpointing: true }, { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' }],
    [{ toolConfig: { askUserQuestion: { previewFormat: 'html' } } }, { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html' }],
  ])('outranks the caller’s: %j', (options, variables) => {
    const env = Object.fromEntries(Object.keys(variables).map((name) => [name, 'mine']));
    expect(toLaunch({ ...options, env }).env).toMatchObject(variables);
    expect(added(options)).toEqual({ args: [], initialize: {} });
  });

  it('leaves it alone where it is off', () => {
    const { env } = toLaunch({ env: {}, enableFileCheckpointing: false, toolConfig: { askUserQuestion: {} } });
    expect(env).toEqual(toLaunch({ env: {} }).env);
  });
});

describe('An option that becomes a field of initialize', () => {
  const agents = { reviewer: { description: 'Reviews', prompt: 'Review.' } };
  const rows: readonly [Options, InitializeFields][] = [
    [{ systemPrompt: 'Be brief.' }, { systemPrompt: ['Be brief.'] }],
    [{ systemPrompt: '' }, { systemPrompt: [''] }],
    [{ systemPrompt: ['One.', 'Two.'] }, { systemPrompt: ['One.', 'Two.'] }],
    [{ systemPrompt: preset }, {}],
    [
      { systemPrompt: { ...preset, append: 'Be brief.', excludeDynamicSections: true } },
      { appendSystemPrompt: 'Be brief.', excludeDynamicSections: true },
    ],
    [{ agents }, { agents }],
    [{ title: 'A title' }, { title: 'A title' }],
    [{ supportedDialogKinds: ['confirm'] }, { supportedDialogKinds: ['confirm'] }],
    [{ systemPrompt: preset, systemPromptSnapshot: false }, { systemPromptSnapshot: false }],
    [{ planModeInstructions: 'Be brief.' }, { planModeInstructions: 'Be brief.' }],
    [{ planModeInstructions: '' }, {}],
    [{ toolAliases: { Bash: 'Shell' } }, { toolAliases: { Bash: 'Shell' } }],
    [{ promptSuggestions: true }, { promptSuggestions: true }],
    [{ agentProgressSummaries: true }, { agentProgressSummaries: true }],
    [{ forwardSubagentText: false }, { forwardSubagentText: false }],
    [{ perTaskStopAffordance: true }, { perTaskStopAffordance: true }],
  ];
  it.each(rows)('%j', (options, initialize) => {
    expect(added(options)).toEqual({ args: [], initialize });
  });
});

describe('A launch', () => {
  it.each<[LaunchOptions, string | undefined]>([
    [{ env: {}, sessionId: id }, id],
    [{ env: {}, resume: id }, id],
    [{ env: {}, resume: 'The title of a session' }, undefined],
    [{ env: {}, resume: id, forkSession: true }, undefined],
    [{ env: {}, resume: id, extraArgs: { 'fork-session': null } }, undefined],
    [{ env: {}, resume: id, extraArgs: { resume: 'another' } }, undefined],
  ])('has the id of its session where the options give it: %o', (options, sessionId) => {
    expect(toLaunch(options).sessionId).toBe(sessionId);
  });

  it('carries the working directory, and waits for nothing before the first message', () => {
    expect(toLaunch({ env: {}, cwd: '/work' })).toMatchObject({ cwd: '/work' });
    expect('cwd' in toLaunch({ env: {} })).toBe(false);
  });

  it('has `leftovers` only when the option is given', () => {
    for (const leftovers of ['end', 'wait', 'leave'] as const) {
      expect(toLaunch({ env: {}, leftovers }).leftovers).toBe(leftovers);
    }
    expect('leftovers' in toLaunch({ env: {} })).toBe(false);
    // @ts-expect-error -- what JavaScript may pass
    expect(() => toLaunch({ env: {}, leftovers: 'keep' })).toThrow(/leftovers: "keep"/);
  });

  it('is the same for the same options in any order', () => {
    const options = { model: 'm', allowedTools: ['Read'], extraArgs: { x: null }, title: 't', env: { A: '1' } };
    const reversed = Object.fromEntries(Object.entries(options).toReversed()) as typeof options;
    expect(toLaunch(reversed)).toEqual(toLaunch(options));
  });

  it('leaves its options as they were', () => {
    const options = deepFreeze({
      env: { A: '1', DEBUG: 'x' },
      allowedTools: ['Read', 'Bash(a (b) c)'],
      settings: { permissions: { allow: ['Write'] } },
      mcpServers: { calc: { command: 'node' } },
      systemPrompt: ['One.'],
      agents: { a: { description: 'd', prompt: 'p' } },
      extraArgs: { x: 'y' },
    });
    expect(() => toLaunch(options)).not.toThrow();
  });
});

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) deepFreeze(child);
  return Object.freeze(value);
}

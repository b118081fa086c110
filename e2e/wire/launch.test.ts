import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { toLaunch } from '@hexagent/cli-launch';
import type { Launch, LaunchOptions } from '@hexagent/ports';
import { runCli } from '@hexagent/testing/cli';
import { systemText, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { start } from './agent.ts';

const launchOn = (place: Stage, options: Partial<LaunchOptions>): Launch =>
  toLaunch({ cwd: place.home.cwd, env: place.env, ...options });

/** An MCP server in a few lines: it greets, and has one tool. */
const greeter = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const results = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'greeter', version: '1' } }),
      'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
    };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }));
  });`;

withCli('A launch with every option of the table', () => {
  it('is accepted by the CLI, and each option has its effect', async () => {
    await using place = await stage(['Done.']);
    const sessionId = randomUUID();
    const launch = launchOn(place, {
      model: 'claude-sonnet-4-5',
      fallbackModel: 'claude-haiku-4-5',
      systemPrompt: 'Speak like a pirate.',
      allowedTools: ['Read', 'Bash(echo (a) b)'],
      disallowedTools: ['WebFetch', 'Bash(rm *)'],
      tools: { type: 'preset', preset: 'claude_code' },
      permissionMode: 'acceptEdits',
      asksPermission: true,
      mcpServers: { greeter: { command: process.execPath, args: ['-e', greeter] } },
      strictMcpConfig: true,
      agents: { pirate: { description: 'Talks', prompt: 'Arr.' } },
      agent: 'pirate',
      sessionId,
      persistSession: false,
      includePartialMessages: true,
      maxTurns: 5,
      maxBudgetUsd: 1,
      thinking: { type: 'disabled' },
      effort: 'low',
      settingSources: [],
      settings: { permissions: { deny: ['Read(secret)'] } },
      additionalDirectories: [place.home.home],
      supportedDialogKinds: ['confirm'],
      title: 'The pirate',
      extraArgs: { 'replay-user-messages': null },
    });
    await using agent = await start(launch, { can_use_tool: async () => ({ behavior: 'deny', message: 'No.' }) });
    expect(await agent.channel.initialized).toMatchObject({ current_permission_mode: 'acceptEdits' });
    expect(await agent.prompt('Hello')).toMatchObject({ subtype: 'success', result: 'Done.' });

    const init = agent.messages.find((message) => message.type === 'system' && message.subtype === 'init');
    expect(init).toMatchObject({
      session_id: sessionId,
      model: 'claude-sonnet-4-5',
      permissionMode: 'acceptEdits',
      mcp_servers: [{ name: 'greeter', status: 'connected' }],
      agents: expect.arrayContaining(['pirate']),
      tools: expect.not.arrayContaining(['WebFetch']),
    });
    expect(agent.messages.map(({ type }) => type)).toContain('stream_event');
    expect(agent.messages).toContainEqual(expect.objectContaining({ type: 'user', isReplay: true }));
    expect(systemText(await place.loopback.received(1))).toContain('Speak like a pirate.');

    const { state } = await agent.channel.request('list_permission_rules');
    expect(rulesOf(state).toSorted()).toEqual(
      ['allow Bash(echo (a) b)', 'allow Read', 'deny Bash(rm *)', 'deny Read(secret)', 'deny WebFetch'].toSorted(),
    );
  });

  it.runIf(process.platform === 'linux')(
    'leaves no secret where other users of the machine could read it',
    async () => {
      await using place = await stage();
      const launch = launchOn(place, {
        mcpServers: { greeter: { command: process.execPath, args: ['-e', greeter], env: { KEY: 'SECRET' } } },
        settings: { env: { KEY: 'SECRET' } },
        managedSettings: { env: { KEY: 'SECRET' } },
      });
      await using agent = await start(launch);
      const { pid } = await agent.channel.initialized;
      const command = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8');
      expect(command).toContain('--mcp-config');
      expect(command).not.toContain('SECRET');
    },
  );
});

withCli('What travels in `initialize`, longer than an argument may be', () => {
  // The last of them denies the command.
  const rules = [...Array.from({ length: 9000 }, (_, index) => `Bash(tool-${index} *)`), 'Bash(touch *)'];
  const long = { env: { LONG: 'x'.repeat(150_000) } };

  it.each<[string, Partial<LaunchOptions>, string]>([
    ['managed settings', { managedSettings: { permissions: { deny: rules } } }, 'managed_settings_applied'],
    ['settings', { settings: { permissions: { deny: rules } }, settingsDelivery: 'initialize' }, 'settings_applied'],
    ['rules', { disallowedTools: rules, disallowedToolsDelivery: 'initialize' }, 'disallowed_tools_applied'],
    [
      'settings and rules',
      {
        settings: long,
        settingsDelivery: 'initialize',
        disallowedTools: rules,
        disallowedToolsDelivery: 'initialize',
      },
      'settings_applied',
    ],
    ['neither, where another way is taken', { settings: long, disallowedTools: rules }, 'absent'],
  ])('holds for the agent: %s', async (_, options, confirmed) => {
    await using place = await stage([toolUse('Bash', { command: 'touch a' }), 'Done.']);
    await using agent = await start(launchOn(place, { allowedTools: ['Bash'], settingSources: [], ...options }));
    expect(await agent.prompt('Go')).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch a' } }] });
    expect((await agent.channel.initialized)[confirmed]).toBe(confirmed === 'absent' ? undefined : true);
  });
});

withCli('Rules for tools', () => {
  // Each answer of the model runs the next command, and the last one repeats the results of the tools.
  const commands = (...list: string[]) => [...list.map((command) => toolUse('Bash', { command })), 'Done.'];

  it.each([
    ['as arguments', ['Bash(touch *)'], ['Bash(rm *)', 'WebFetch']],
    // More than an argument holds: they travel in the settings.
    ['#22 in the settings', [...many('touch'), 'Bash(touch *)'], [...many('rm'), 'Bash(rm *)', 'WebFetch']],
  ])('allow, deny, and take away tools alike: %s', async (_, allowedTools, disallowedTools) => {
    await using place = await stage(commands('touch a', 'rm a'));
    await using agent = await start(launchOn(place, { allowedTools, disallowedTools, settingSources: [] }));
    expect(await agent.prompt('Go')).toMatchObject({ permission_denials: [{ tool_input: { command: 'rm a' } }] });
    const init = agent.messages.find((message) => message.type === 'system' && message.subtype === 'init');
    expect(init).toMatchObject({ tools: expect.not.arrayContaining(['WebFetch']) });
    const touched = await place.loopback.received(2);
    expect(toolResults(touched).map(({ isError }) => isError)).toEqual([false]);
  });

  it('#60 reach the CLI whole, whatever they hold', async () => {
    await using place = await stage();
    const rules = ['Bash(rm (a) b)', 'Bash(echo "a) , b")', 'Bash(f(x), y)', 'Bash(a, b)', 'Read(//tmp/x y/**)'];
    await using agent = await start(launchOn(place, { disallowedTools: rules }));
    const { state } = await agent.channel.request('list_permission_rules');
    expect(rulesOf(state)).toEqual(rules.map((rule) => `deny ${rule}`));
  });
});

withCli('What a launch refuses', () => {
  // If the CLI should ever accept one of these, the table has a rule too many.
  const refused: readonly string[][] = [
    ['--session-id=abc'],
    ['--continue', `--session-id=${randomUUID()}`],
    [`--resume=${randomUUID()}`, `--session-id=${randomUUID()}`],
    [`--resume-session-at=${randomUUID()}`],
    ['--permission-mode=ask'],
    ['--max-turns=many'],
    ['--max-budget-usd=0'],
    ['--setting-sources=global'],
    ['--thinking=hard'],
    ['--output-format=text'],
  ];
  it.each(refused.map((args) => [args.join(' '), args] as const))(
    'is refused by the CLI as well: %s',
    async (_, args) => {
      await using place = await stage();
      await using run = await runCli({ cli, loopback: place.loopback, home: place.home, args });
      run.end();
      expect(await run.exit).toMatchObject({ code: 1 });
      expect(run.frames.filter(({ type }) => type !== 'result')).toEqual([]);
    },
  );
});

withCli('A session', () => {
  // As root the CLI takes the mode only inside a sandbox.
  const modeLater = async (allowDangerouslySkipPermissions: boolean): Promise<unknown> => {
    await using place = await stage([], { IS_SANDBOX: '1' });
    await using agent = await start(launchOn(place, { allowDangerouslySkipPermissions }));
    await agent.channel.initialized;
    return await agent.channel.request('set_permission_mode', { mode: 'bypassPermissions' });
  };

  it('is put into bypassPermissions later only when it was launched for it', async () => {
    await expect(modeLater(false)).rejects.toThrow('the session was not launched with');
    await expect(modeLater(true)).resolves.toBeDefined();
  });
});

function many(command: string): string[] {
  return Array.from({ length: 5000 }, (_, n) => `Bash(${command}-${n} with some words *)`);
}

function rulesOf(state: unknown): string[] {
  const { rules } = state as { rules: { behavior: string; rule: string }[] }; // as recorded in 18
  return rules.map(({ behavior, rule }) => `${behavior} ${rule.replaceAll('\\', '')}`);
}

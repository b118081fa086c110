import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSdkMcpServer, tool } from '@hexagent/sdk';
import type { CanUseTool, Options } from '@hexagent/sdk/claude-agent-sdk';
import { toolResults, toolUse, type ModelRequest, type Script, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { made, run, touch } from '../support/queries.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { expectWarnings } from '../support/warnings.ts';

expectWarnings();

type Asked = Parameters<CanUseTool>;

withCli('canUseTool is given', () => {
  const seenFor = async (
    script: Script,
    options: Options = {},
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Asked> => {
    await using place = await stage(script, variables);
    const asked: Asked[] = [];
    const canUseTool: CanUseTool = async (...given) => (asked.push(given), { behavior: 'deny', message: 'seen' });
    await run(place, { canUseTool, ...options });
    expect(asked).toHaveLength(1);
    return asked[0]!;
  };
  const write = (path: string): ReturnType<typeof callOnce> => callOnce('Write', { file_path: path, content: 'x' });
  const rule = (toolName: string, ruleContent?: string): object => ({
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
    behavior: 'allow',
    destination: expect.stringMatching(/^(?:localSettings|session)$/),
  });
  const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  const folder = { type: 'addDirectories', directories: [expect.any(String)], destination: 'session' };

  it('what identifies the call', async () => {
    const [name, input, context] = await seenFor(touch);
    expect([name, input]).toEqual(['Bash', { command: 'touch made' }]);
    expect(context).toMatchObject({
      requestId: expect.stringMatching(/.+/),
      toolUseID: expect.stringMatching(/^toolu_/),
      displayName: 'Bash',
      description: 'touch made',
      blockedPath: expect.stringMatching(/made$/),
    });
    expect(context.signal).toBeInstanceOf(AbortSignal);
    expect(context).not.toHaveProperty('agentID');
  });

  it.each<[string, Script, readonly object[]]>([
    ['a command that writes', touch, [rule('Bash', 'touch made *'), folder, mode]],
    ['a file that is written in the folder', write('made'), [mode]],
    ['a file that is written elsewhere', write('/elsewhere/made'), [mode, folder]],
    ['a file that is read elsewhere', callOnce('Read', { file_path: '/etc/hostname' }), [rule('Read', '//etc/**')]],
    [
      'a page',
      callOnce('WebFetch', { url: 'https://example.com/a', prompt: 'x' }),
      [rule('WebFetch', 'domain:example.com')],
    ],
    ['a removal that is never safe', callOnce('Bash', { command: 'rm -rf /' }), []],
  ])('what the CLI suggests about %s', async (_, script, suggestions) => {
    const [, , context] = await seenFor(script);
    expect(context.suggestions ?? []).toEqual(suggestions.map((each): unknown => expect.objectContaining(each)));
  });

  it('each part of a compound command as a rule of its own', async () => {
    const [, , context] = await seenFor(callOnce('Bash', { command: 'npm test && git push origin' }));
    expect(context).toMatchObject({
      decisionReasonType: 'subcommandResults',
      suggestions: [{ type: 'addRules', rules: [{ ruleContent: 'npm test *' }, { ruleContent: 'git push *' }] }],
    });
  });

  it('the server of a tool', async () => {
    const echo = tool('echo', 'Echoes.', {}, async () => ({ content: [] }));
    const mcpServers = { own: createSdkMcpServer({ name: 'own', tools: [echo] }) };
    const [name, , context] = await seenFor(callOnce('mcp__own__echo', {}), { mcpServers });
    expect(name).toBe('mcp__own__echo');
    expect(context).toMatchObject({
      mcpServer: { name: 'own', source: expect.any(String) },
      suggestions: [rule('mcp__own__echo')],
    });
  });

  it('why the call needs permission: a hook', async () => {
    const hook = async (): Promise<object> => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'look at it',
      },
    });
    const [, , context] = await seenFor(touch, { hooks: { PreToolUse: [{ hooks: [hook] }] } });
    expect(context).toMatchObject({
      decisionReasonType: 'hook',
      decisionReason: expect.stringContaining('look at it'),
    });
  });

  it('why the call needs permission: an ask rule', async () => {
    const settings = { permissions: { ask: ['Bash(touch *)'] } };
    const [, , context] = await seenFor(touch, { settings: JSON.stringify(settings) });
    expect(context).toMatchObject({ decisionReasonType: 'rule' });
    expect(context).not.toHaveProperty('matchedAskRule');
  });

  // One with content is named by its type alone.
  it.each<[string, string, object]>([
    ['a project', 'work/.claude/settings.json', { source: 'projectSettings', toolName: 'Bash' }],
    ['a folder', 'work/.claude/settings.local.json', { source: 'localSettings', toolName: 'Bash' }],
    ['a user', 'home/.claude/settings.json', { source: 'userSettings', toolName: 'Bash' }],
    ['a user, for all tools', 'home/.claude/settings.json', { source: 'userSettings', toolName: '*' }],
  ])(
    'which ask rule without content has the call asked about, although another allows it: one of %s',
    async (_, file, rule) => {
      const { toolName } = rule as { toolName: string };
      await using place = await stage(touch);
      await mkdir(dirname(join(place.home.root, file)), { recursive: true });
      await writeFile(
        join(place.home.root, file),
        JSON.stringify({ permissions: { ask: [toolName], allow: ['Bash'] } }),
      );
      const rules: unknown[] = [];
      const canUseTool: CanUseTool = async (_name, _input, { matchedAskRule }) => {
        rules.push(matchedAskRule);
        return { behavior: 'deny', message: 'seen' };
      };
      await run(place, { canUseTool, allowedTools: ['Bash'], settingSources: ['user', 'project', 'local'] });
      expect(rules).toEqual([rule]);
      expect(made(place)).toBe(false);
    },
  );

  it.each(['default', 'plan', 'bypassPermissions', 'auto'] as const)(
    'which ask rule without content of the settings has the call asked about, in the mode %s',
    async (permissionMode) => {
      const settings = { permissions: { ask: ['WebFetch'] } };
      const script = callOnce('WebFetch', { url: 'https://example.com', prompt: 'x' });
      const options = { settings, permissionMode, allowDangerouslySkipPermissions: true };
      const [, , context] = await seenFor(script, options, { IS_SANDBOX: '1' });
      expect(context.matchedAskRule).toEqual({ source: 'flagSettings', toolName: 'WebFetch' });
    },
  );

  it('that a tool asks a person', async () => {
    const [, , context] = await seenFor(callOnce('ExitPlanMode', {}), { permissionMode: 'plan' });
    expect(context).toMatchObject({ requiresUserInteraction: true });
  });

  it('which subagent calls', async () => {
    const script = (request: ModelRequest): TurnLike => {
      const firstMessage = JSON.stringify(request.body.messages[0]);
      if (firstMessage.includes('make it'))
        return toolResults(request).length > 0 ? 'over' : toolUse('Bash', { command: 'touch made' });
      return toolResults(request).length > 0
        ? 'all over'
        : toolUse('Agent', {
            description: 'd',
            prompt: 'make it',
            subagent_type: 'general-purpose',
            run_in_background: false,
          });
    };
    const [, , context] = await seenFor(script);
    expect(context.agentID).toEqual(expect.any(String));
  });
});

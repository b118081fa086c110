import { describe, expect, it } from 'vitest';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { ask, createSdk, openSession, tool, type SessionOptions } from '@hexagent/sdk';
import { checkOptions } from '../src/checks/options.ts';
import { refusalOf } from './refusals.ts';

describe('An unknown option', () => {
  it.each([
    // The official package's names.
    ['allowedTools', 'permissions.allow'],
    ['disallowedTools', 'permissions.deny'],
    ['canUseTool', 'onAsk'],
    ['permissionMode', 'permissions.cliMode'],
    ['allowDangerouslySkipPermissions', 'permissions.allowBypass'],
    ['pathToClaudeCodeExecutable', 'executable'],
    ['abortController', 'signal'],
    ['settingSources', 'settings'],
    ['forkSession', 'fork'],
    ['persistSession', 'persist'],
    ['includePartialMessages', 'partialMessages'],
    ['stderr', 'onStderr'],
    ['onElicitation', 'onAsk'],
    ['onUserDialog', 'onAsk'],
    ['approver', 'onAsk'],
    ['elicitor', 'onAsk'],
    ['dialogs', 'onAsk'],
    ['onQuestion', 'onAsk'],
    // First guesses and slips of the pen.
    ['allow', 'permissions.allow'],
    ['mode', 'permissions.mode'],
    ['apiKey', 'env: { set: { ANTHROPIC_API_KEY } }'],
    ['workingDirectory', 'cwd'],
    ['customSystemPrompt', 'systemPrompt'],
    ['appendSystemPrompt', 'systemPrompt'],
    ['prompt', 'session.send(prompt)` or `ask(prompt, options)'],
    ['observer', 'createSdk({ observer })'],
    ['outputFormat', 'output'],
    ['system_prompt', 'systemPrompt'],
    ['maxTurns', 'budget'],
    ['maxBudgetUsd', 'budget'],
    ['budgets', 'budget'],
    ['mcpServers', 'tools'],
    ['ownTools', 'tools'],
    ['permission', 'permissions'],
    ['modle', 'model'],
    ['partialMessage', 'partialMessages'],
    ['tool', 'tools'],
    ['hook', 'hooks'],
    ['setting', 'settings'],
    ['environment', 'env'],
  ])('is refused with the right name: %s', (name, meant) => {
    expect(refusalOf({ [name]: 'x' })).toBe(`\`${name}\` is not known. Did you mean \`${meant}\`?`);
  });

  it.each([
    [{ permissions: { denied: [] } }, '`permissions.denied` is not known. Did you mean `permissions.deny`?'],
    [{ permissions: { allowed: [] } }, '`permissions.allowed` is not known. Did you mean `permissions.allow`?'],
    [{ permissions: { canUseTool: [] } }, '`permissions.canUseTool` is not known. Did you mean `onAsk`?'],
    [{ env: { HOME: '/' } }, '`env.HOME` is not known. Variables belong in `env.set`.'],
    [{ hooks: { PreTooluse: [] } }, '`hooks.PreTooluse` is no event. Did you mean `hooks.PreToolUse`?'],
    [{ hooks: { Stop: [{ hook: 1 }] } }, '`hooks.Stop[0].hook` is not known. Did you mean `hooks.Stop[0].hooks`?'],
    [
      { tools: [{ 'a b': { command: 'x', arguments: [] } }] },
      '`tools[0]["a b"].arguments` is not known. Did you mean `args`?',
    ],
    [
      { agents: { a: { description: 'd', prompt: 'p', disallowedTool: [] } } },
      '`agents.a.disallowedTool` is not known. Did you mean `agents.a.disallowedTools`?',
    ],
    [{ unlikeAnything: 1 }, '`unlikeAnything` is not known. Leave it out.'],
    [
      { tools: [{ add: tool('add', 'Adds.', {}, () => ({ content: [] })) }] },
      '`tools[0].add` must be a server, not a tool. Pass the tool in `tools`, or in createSdkMcpServer({ name, tools }).',
    ],
  ])('is found wherever it stands: %o', (options, message) => {
    expect(refusalOf(options)).toBe(message);
  });

  it('is refused although it is hidden: nothing that is given may be ignored', () => {
    expect(refusalOf(Object.defineProperty({}, 'allowedTools', { value: [] }))).toContain('permissions.allow');
    const hidden = Object.defineProperty({}, 'deny', { value: ['Bash'] });
    expect(checkOptions({ permissions: hidden })).toEqual({ permissions: { deny: ['Bash'] } });
  });

  it('is refused although it is a symbol', () => {
    const key = Symbol('deny');
    const message = '`permissions` must be an object whose keys are strings, not one with a symbol among them.';
    expect(refusalOf({ permissions: { [key]: ['Bash'] } })).toBe(message);
    expect(refusalOf({ [key]: 1 })).toBe(message.replace('permissions', 'options'));
    expect(refusalOf({ env: { set: { [key]: '1' } } })).toBe(message.replace('permissions', 'env.set'));
  });

  it('among the parts of an SDK is distinguished from an option of a session', () => {
    expect(() => createSdk({ cwd: '/' } as object)).toThrow('Did you mean `openSession({ cwd })`?');
    expect(() => createSdk({ observers: {} } as object)).toThrow('Did you mean `observer`?');
  });
});

describe('A refusal', () => {
  const secret = 'sk-very-secret';
  it.each<unknown>([
    { env: secret },
    { env: { set: { A: [secret] } } },
    { env: { set: { A: `${secret}\0` } } },
    { env: { set: { [`${secret}=`]: '1' } } },
    { env: { policy: { secret } } },
    { tools: secret },
    { tools: [{ web: { command: 'x', env: secret } }] },
    { tools: [{ web: secret }] },
    { tools: [{ web: { command: 'x', env: { KEY: [secret] } } }] },
    { tools: [{ web: { type: 'http', url: secret, headers: {} } }] },
    { tools: [{ web: { type: 'http', url: 'http://x', headers: { Authorization: [secret] } } }] },
    { tools: [{ web: { type: secret } }] },
    { extraArgs: { token: [secret] } },
    { agents: { a: secret } },
    { systemPrompt: { type: 'preset', preset: 'claude_code', append: [secret] } },
    { sessionId: secret },
    { resume: [secret] },
    { model: `${secret}\0` },
  ])('never shows what may be a secret: %o', (options) => {
    expect(refusalOf(options)).toMatch(/^`\w+.*` (?:must be|is not known)/);
    expect(refusalOf(options)).not.toContain('secret');
  });

  it.each([
    [{ effort: 'High' }, '`effort` must be one of "low", "medium", "high", "xhigh", "max", not "High".'],
    [{ budget: { turns: 1.5 } }, '`budget.turns` must be a whole number greater than 0, not 1.5.'],
    [{ budget: { usd: 1, nearAt: 1 } }, '`budget.nearAt` must be a share between 0 and 1, not 1.'],
    [{ budget: { onNear: () => {} } }, '`budget` needs a limit: `usd`, `tokens` or `turns`.'],
    [
      { tools: 'Read' },
      '`tools` must be a list, in which each entry is the name of a built-in tool, what tool() or createSdkMcpServer() makes, or an object of servers by name: { github: { type: "http", url } }, not a string.',
    ],
    [{ signal: new AbortController() }, '`signal` must be an AbortSignal, not its controller: pass its `signal`.'],
    [{ transport: Map }, '`transport` must be an object with the method connect, not a function.'],
    [[], '`options` must be a plain object, not a list.'],
    [null, '`options` must be a plain object, not null.'],
  ])('names what belongs there: %o', (options, message) => {
    expect(refusalOf(options)).toBe(message);
  });
});

describe('Options that are right', () => {
  it('are taken as they are, without what is undefined', () => {
    const transport = linkedTransport().transport;
    const { signal } = new AbortController();
    const options = {
      cwd: '/work',
      systemPrompt: ['One.', ''],
      permissions: { allow: ['Read'], deny: ['Bash(rm *)'], cliMode: 'plan', mode: undefined },
      onAsk: undefined,
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [() => ({})], timeout: 0.5, onFailure: 'block' }] },
      tools: [
        'Read',
        'NextYearsTool',
        {
          files: { command: 'files', args: ['--all', ''], env: { A: '' }, timeout: 1000, alwaysLoad: true },
          web: { type: 'http', url: 'http://x', tools: [{ name: 't', permission_policy: 'always_deny' }] },
          variable: { type: 'sse', url: '${SERVER}/mcp' },
        },
      ],
      agents: { a: { description: 'd', prompt: 'p', tools: ['Read'], effort: 3 } },
      env: { policy: 'exact', set: { A: 'a', B: undefined } },
      thinking: { type: 'enabled', budgetTokens: 0 },
      initializeTimeoutMs: Number.POSITIVE_INFINITY,
      signal,
      transport,
      model: undefined,
    } as const;
    const { model: _model, onAsk: _onAsk, ...given } = options;
    const { mode: _mode, ...permissions } = options.permissions;
    const tools = { builtIn: ['Read', 'NextYearsTool'], own: [], servers: options.tools[2] };
    const agents = { definitions: options.agents, servers: {} };
    expect(checkOptions(options)).toEqual({ ...given, agents, tools, permissions });
    expect(checkOptions(undefined)).toEqual({});
    expect(checkOptions({})).toEqual({});
  });

  it('are read once each: a getter cannot answer otherwise after it was checked', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const reads: string[] = [];
    const changing = <T extends object>(target: T): T => {
      const seen = new Set<PropertyKey>();
      return new Proxy(target, {
        get(object, name, self) {
          const value: unknown = Reflect.get(object, name, self);
          if (typeof name !== 'string' || !Object.hasOwn(object, name) || name === 'length') return value;
          reads.push(name);
          if (seen.has(name)) return undefined;
          seen.add(name);
          return value;
        },
      });
    };
    const permissions = changing({ deny: changing(['Bash', 'Write']), cliMode: 'plan' as const });
    const session = await openSession(changing({ transport, permissions, tools: changing(['Read']), persist: false }));
    await session.close();
    expect(agent.launch?.args).toEqual(
      expect.arrayContaining([
        '--disallowedTools=Bash,Write',
        '--permission-mode=plan',
        '--tools=Read',
        '--no-session-persistence',
      ]),
    );
    expect(reads.toSorted()).toEqual([
      '0',
      '0',
      '1',
      'cliMode',
      'deny',
      'permissions',
      'persist',
      'tools',
      'transport',
    ]);
  });

  it('may hold any character where they travel as JSON', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport, systemPrompt: 'a\0b' });
    session.send('a\0b');
    expect(await agent.next('user')).toMatchObject({ message: { content: 'a\0b' } });
    await session.close();
  });

  it('may come from a module, from another realm, or without a prototype', async () => {
    const { runInNewContext } = await import('node:vm');
    const foreign: unknown = runInNewContext("({ permissions: { deny: ['Bash'] }, maxRetries: 3 })");
    expect(checkOptions(foreign)).toMatchObject({ permissions: { deny: ['Bash'] }, maxRetries: 3 });
    expect(checkOptions(Object.assign(Object.create(null), { maxRetries: 3 }))).toEqual({ maxRetries: 3 });
    expect(checkOptions(new Proxy({ maxRetries: 3 }, {}))).toEqual({ maxRetries: 3 });
  });
});

describe('ask()', () => {
  it('refuses a wrong prompt and wrong options at once, before anything is started', () => {
    const options = { tools: 'Read' } as unknown as SessionOptions; // as a program without types may
    expect(() => ask('hi', options)).toThrow('`tools` must be a list');
    expect(() => ask('')).toThrow('`prompt` must be text');
    expect(() => ask({ text: 'hi' } as never)).toThrow('`prompt.text` is not known. Did you mean `content`?');
    expect(() => ask({ prompt: 'hi' } as never)).toThrow(
      '`prompt.prompt` is not known. Did you mean `ask(prompt, options)`?',
    );
  });
});

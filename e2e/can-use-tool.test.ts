import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSdkMcpServer, rememberedRules, tool } from '@hexagent/sdk';
import { query, type CanUseTool, type Options, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { toolResults, toolUse, type ModelRequest, type Script, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';
import { callOnce } from './support/tool-calls.ts';
import { expectWarnings } from './support/warnings.ts';

expectWarnings();

type Asked = Parameters<CanUseTool>;

const optionsOf = (place: Stage, options: Options = {}): Options => ({
  cwd: place.home.cwd,
  env: { ...place.env },
  pathToClaudeCodeExecutable: cli,
  ...options,
});

/** The last result of a query. */
async function run(
  place: Stage,
  options: Options,
  prompt: string | AsyncIterable<SDKUserMessage> = 'go',
): Promise<string> {
  let text = '';
  for await (const message of query({ prompt, options: optionsOf(place, options) }))
    if (message.type === 'result' && message.subtype === 'success') text = message.result;
  return text;
}

const made = (place: Stage, name = 'made'): boolean => existsSync(join(place.home.cwd, name));
const touch = callOnce('Bash', { command: 'touch made' });

const message = (text: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: text },
  parent_tool_use_id: null,
});

async function* once(text: string): AsyncGenerator<SDKUserMessage> {
  yield message(text);
}

withCli('#2 canUseTool is called', () => {
  it.each<[string, () => Parameters<typeof run>[2]]>([
    ['a text', () => 'go'],
    ['a generator that ends at once', () => once('go')],
  ])('with a prompt that is %s', async (_, prompt) => {
    await using place = await stage(touch);
    const asked: Asked[] = [];
    const canUseTool: CanUseTool = async (...given) => (asked.push(given), { behavior: 'allow' });
    await run(place, { canUseTool }, prompt());
    expect(asked.map(([name]) => name)).toEqual(['Bash']);
    expect(made(place)).toBe(true);
  });

  it('with a prompt that stays open', async () => {
    await using place = await stage(touch);
    const closing = Promise.withResolvers<void>();
    async function* open(): AsyncGenerator<SDKUserMessage> {
      yield message('go');
      await closing.promise;
    }
    const canUseTool: CanUseTool = async () => ({ behavior: 'allow' });
    for await (const { type } of query({ prompt: open(), options: optionsOf(place, { canUseTool }) }))
      if (type === 'result') closing.resolve();
    expect(made(place)).toBe(true);
  });

  it('with a message that is streamed in later', async () => {
    await using place = await stage(['hello', toolUse('Bash', { command: 'touch made' }), 'done']);
    const asked: string[] = [];
    const canUseTool: CanUseTool = async (name) => (asked.push(name), { behavior: 'allow' });
    const closing = Promise.withResolvers<void>();
    async function* open(): AsyncGenerator<SDKUserMessage> {
      yield message('hi');
      await closing.promise;
    }
    const running = query({ prompt: open(), options: optionsOf(place, { canUseTool }) });
    let results = 0;
    for await (const { type } of running) {
      if (type !== 'result') continue;
      results += 1;
      if (results === 1) await running.streamInput(once('go'));
      else closing.resolve();
    }
    expect([results, asked, made(place)]).toEqual([2, ['Bash'], true]);
  });
});

withCli('canUseTool is given', () => {
  const seenFor = async (script: Script, options: Options = {}): Promise<Asked> => {
    await using place = await stage(script);
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

  it('why the call is asked about: a hook', async () => {
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

  it('why the call is asked about: an ask rule', async () => {
    const settings = { permissions: { ask: ['Bash(touch *)'] } };
    const [, , context] = await seenFor(touch, { settings: JSON.stringify(settings) });
    expect(context).toMatchObject({ decisionReasonType: 'rule' });
  });

  it('that a tool asks a person', async () => {
    const [, , context] = await seenFor(callOnce('ExitPlanMode', {}), { permissionMode: 'plan' });
    expect(context).toMatchObject({ requiresUserInteraction: true });
  });

  it('which subagent calls', async () => {
    const script = (request: ModelRequest): TurnLike => {
      const said = JSON.stringify(request.body.messages[0]);
      if (said.includes('make it'))
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

withCli('What canUseTool does', () => {
  const answering = async (answer: unknown): Promise<{ text: string; made: boolean }> => {
    await using place = await stage(touch);
    const text = await run(place, { canUseTool: (async () => answer) as CanUseTool });
    return { text, made: made(place) };
  };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ['a text', 'allow'],
    ['the shape of another protocol', { type: 'allow', input: {} }],
    ['an unknown behaviour', { behavior: 'ask' }],
    ['a denial without a message', { behavior: 'deny' }],
    ['rules that are no list', { behavior: 'allow', updatedPermissions: 'all' }],
    ['a scope that only an approver has', { behavior: 'allow', remember: 'local' }],
  ])('that is no answer denies with a message, and nothing runs: %s', async (_, answer) => {
    const { text, made: wasMade } = await answering(answer);
    expect(text).toContain('Denied: ');
    expect(wasMade).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['as it is', { behavior: 'allow' }, 'made'],
    ['with the same input', { behavior: 'allow', updatedInput: { command: 'touch made' } }, 'made'],
    ['with another input', { behavior: 'allow', updatedInput: { command: 'touch other' } }, 'other'],
    ['for once', { behavior: 'allow', decisionClassification: 'user_temporary' }, 'made'],
    ['from now on', { behavior: 'allow', decisionClassification: 'user_permanent' }, 'made'],
    [
      'with rules of every kind of change',
      {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'addRules', rules: [{ toolName: 'WebSearch' }], behavior: 'deny', destination: 'session' },
          { type: 'addDirectories', directories: ['/tmp'], destination: 'session' },
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        ],
      },
      'made',
    ],
  ])('that allows the call runs it %s', async (_, answer, name) => {
    await using place = await stage(touch);
    await run(place, { canUseTool: (async () => answer) as CanUseTool });
    expect(['made', 'other'].filter((each) => made(place, each))).toEqual([name]);
  });

  it('while a program leaves the query is over: its signal aborts, and nothing runs', async () => {
    await using place = await stage(touch);
    const asked = Promise.withResolvers<AbortSignal>();
    const options = optionsOf(place, {
      canUseTool: (_, __, { signal }) => (asked.resolve(signal), new Promise<null>(() => {})),
    });
    const running = query({ prompt: 'go', options });
    const reading = (async () => {
      for await (const _ of running);
    })();
    const signal = await asked.promise;
    await running[Symbol.asyncDispose]();
    await reading;
    expect(signal.aborted).toBe(true);
    expect(made(place)).toBe(false);
  });

  it('when it throws denies with its message, and nothing runs', async () => {
    await using place = await stage(touch);
    const text = await run(place, { canUseTool: () => Promise.reject(new Error('callback broke')) });
    expect(text).toContain('callback broke');
    expect(made(place)).toBe(false);
  });

  it.each<[string, CanUseTool, boolean]>([
    ['never answers', () => new Promise(() => {}), true],
    // As officially: the callback is done with it, and learns no more.
    ['answers null, as one who leaves it to others', async () => null, false],
  ])('leaves the call pending, and the query can be interrupted: it %s', async (_, canUseTool, isAborted) => {
    await using place = await stage(touch);
    const asked = Promise.withResolvers<AbortSignal>();
    const options = optionsOf(place, {
      canUseTool: (name, input, context) => (asked.resolve(context.signal), canUseTool(name, input, context)),
    });
    const running = query({ prompt: 'go', options });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of running) types.push(type);
    })().catch(() => {});
    const signal = await asked.promise;
    await running.interrupt();
    await reading;
    expect(types.at(-1)).toBe('result');
    expect(made(place)).toBe(false);
    expect(signal.aborted).toBe(isAborted);
  });

  it('that denies and interrupts ends the turn', async () => {
    await using place = await stage(touch);
    const results: unknown[] = [];
    const canUseTool: CanUseTool = async () => ({ behavior: 'deny', message: 'Stop.', interrupt: true });
    const reading = (async () => {
      for await (const message of query({ prompt: 'go', options: optionsOf(place, { canUseTool }) }))
        if (message.type === 'result') results.push([message.subtype, message.terminal_reason]);
    })();
    await expect(reading).rejects.toThrow('Claude Code returned an error result');
    expect(results).toEqual([['error_during_execution', 'aborted_tools']]);
    expect(place.loopback.requests).toHaveLength(1);
    expect(made(place)).toBe(false);
  });
});

withCli('A rule that canUseTool stores', () => {
  /** Two calls, of which the rule of the first covers the second. */
  const twice = (request: ModelRequest): TurnLike => {
    const results = JSON.stringify(request.body.messages).split('"tool_result"').length - 1;
    return results === 2 ? 'over' : toolUse('Bash', { command: results === 0 ? 'touch one' : 'touch one two' });
  };

  /** Trusts the folder, as a person does who runs the CLI there. */
  const trust = ({ home }: Stage): Promise<void> =>
    writeFile(
      join(home.home, '.claude.json'),
      JSON.stringify({ projects: { [home.cwd]: { hasTrustDialogAccepted: true } } }),
    );

  it.each<['session' | 'local' | 'project' | 'user', string | undefined]>([
    ['session', undefined],
    ['local', 'work/.claude/settings.local.json'],
    ['project', 'work/.claude/settings.json'],
    ['user', 'home/.claude/settings.json'],
  ])('holds from then on, and is on disk where it says: %s', async (scope, file) => {
    await using place = await stage(twice);
    await trust(place);
    const asked: unknown[] = [];
    const canUseTool: CanUseTool = async (_, { command }, { suggestions }) => {
      asked.push(command);
      return { behavior: 'allow', updatedPermissions: rememberedRules(suggestions, scope) };
    };
    await run(place, { canUseTool });
    expect(asked).toEqual(['touch one']);
    expect(made(place, 'two')).toBe(true);
    const files = ['work/.claude/settings.local.json', 'work/.claude/settings.json', 'home/.claude/settings.json'];
    const found = files.filter((name) => existsSync(join(place.home.root, name)));
    expect(found).toEqual(file === undefined ? [] : [file]);
    for (const name of found)
      expect(JSON.parse(await readFile(join(place.home.root, name), 'utf8'))).toMatchObject({
        permissions: { allow: ['Bash(touch one *)'] },
      });
  });
});

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external, type ExternalServer } from '@hexagent/mcp-client';
import { allow, ask, createSdk, createSdkMcpServer, openSession, tool } from '@hexagent/sdk';
import { query, type HookInput } from '@hexagent/sdk/claude-agent-sdk';
import { isAlive } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { cli, withCli } from './support/cli.ts';
import { stage } from './support/stage.ts';
import { callOnce } from './support/tool-calls.ts';

withCli('A PreToolUse hook', () => {
  it('sees the call before it runs, and can refuse it', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const seen: HookInput[] = [];
    await using session = await openSession({
      ...place.options,
      permissions: { approver: () => allow() },
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              (input) => {
                seen.push(input);
                return {
                  hookSpecificOutput: {
                    hookEventName: 'PreToolUse',
                    permissionDecision: 'deny',
                    permissionDecisionReason: 'hooked',
                  },
                };
              },
            ],
          },
        ],
      },
    });
    const outcome = await session.send('go').result;
    expect(seen[0]).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'touch made' },
    });
    expect(outcome.kind === 'completed' && outcome.text).toContain('hooked');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('that fails blocks the call where its option asks for it', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const warned: string[] = [];
    const sdk = createSdk({ onWarning: ({ code, message }) => warned.push(`${code} ${message}`) });
    await using session = await sdk.openSession({
      ...place.options,
      permissions: { approver: () => allow() },
      hooks: { PreToolUse: [{ onFailure: 'block', hooks: [() => Promise.reject(new Error('hook broke'))] }] },
    });
    await session.send('go').result;
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
    expect(warned).toEqual([expect.stringMatching(/^HEXAGENT_CALLBACK_FAILED .*hook broke$/)]);
  });

  it('works in the drop-in, with a string prompt and no permission callback', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const events: string[] = [];
    const hook = async (input: { hook_event_name: string }): Promise<object> => {
      events.push(input.hook_event_name);
      return {};
    };
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [hook] }], PostToolUse: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] },
    };
    for await (const _ of query({ prompt: 'go', options }));
    expect(events).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});

withCli('A tool of the program’s own', () => {
  const add = tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
    content: [{ type: 'text', text: `${a + b}` }],
  }));
  const calculator = createSdkMcpServer({ name: 'calculator', version: '1.0.0', tools: [add] });

  it('is called by the agent and answers it', async () => {
    await using place = await stage(callOnce('mcp__calculator__add', { a: 40, b: 2 }));
    await using session = await openSession({
      ...place.options,
      mcpServers: { calculator },
      permissions: { allow: ['mcp__calculator'] },
    });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'The tool said: 42' });
  });

  it('names to the model the argument that is wrong, and never runs with it', async () => {
    await using place = await stage(callOnce('mcp__calculator__add', { a: 'forty', b: 2 }));
    await using session = await openSession({
      ...place.options,
      mcpServers: { calculator },
      permissions: { allow: ['mcp__calculator'] },
    });
    const outcome = await session.send('go').result;
    expect(outcome.kind === 'completed' && outcome.text).toMatch(/\ba\b.*number/s);
  });

  it('is named by the key of its server in mcpServers, not by the name that the server has', async () => {
    await using place = await stage(callOnce('mcp__sums__add', { a: 2, b: 2 }));
    await using session = await openSession({
      ...place.options,
      mcpServers: { sums: calculator },
      permissions: { allow: ['mcp__sums'] },
    });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'The tool said: 4' });
  });

  it('works in the drop-in', async () => {
    await using place = await stage(callOnce('mcp__calculator__add', { a: 1, b: 2 }));
    const results: unknown[] = [];
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      mcpServers: { calculator },
      allowedTools: ['mcp__calculator__add'],
    };
    for await (const message of query({ prompt: 'go', options }))
      if (message.type === 'result' && message.subtype === 'success') results.push(message.result);
    expect(results).toEqual(['The tool said: 3']);
  });

  it('is notified when the agent withdraws the call', async () => {
    const called = Promise.withResolvers<void>();
    const withdrawn = Promise.withResolvers<void>();
    const slow = tool('slow', 'Never ends by itself.', {}, (_, { signal }) => {
      called.resolve();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn.resolve();
          resolve({ content: [] });
        });
      });
    });
    await using place = await stage(callOnce('mcp__own__slow', {}));
    const own = createSdkMcpServer({ name: 'own', tools: [slow] });
    await using session = await openSession({
      ...place.options,
      mcpServers: { own },
      permissions: { allow: ['mcp__own'] },
    });
    const turn = session.send('go');
    await called.promise;
    expect(await turn.interrupt()).toBe('interrupted');
    await withdrawn.promise;
  });
});

withCli('A stdio server that we dial', () => {
  const program = fileURLToPath(new URL('./fixtures/greeting-server.mjs', import.meta.url));
  const secret = 'made-up-secret-of-a-test';
  const open = (): ExternalServer =>
    external({ name: 'greeting', command: process.execPath, args: [program], env: { GREETING_SECRET: secret } });

  it('serves the agent, which never sees its secret, and is gone with the session', async () => {
    await using place = await stage(callOnce('mcp__greeting__greet', { name: 'you' }));
    await using session = await openSession({
      ...place.options,
      mcpServers: { greeting: open() },
      permissions: { allow: ['mcp__greeting'] },
    });
    const outcome = await session.send('go').result;
    const text = outcome.kind === 'completed' ? outcome.text : outcome.kind;
    expect(text).toMatch(/^The tool said: Hello you, from \d+ with made-up-secret-of-a-test$/);
    const { pid } = await session.ready;
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8').catch(() => '')),
    );
    // Elsewhere than on Linux they cannot be read like this.
    expect(process.platform === 'linux' && seen.includes('')).toBe(false);
    expect(seen.join()).not.toContain(secret);
    await session.close();
    expect(isAlive(Number(/from (\d+)/.exec(text)?.[1]))).toBe(false);
  });

  it('is named by its key in mcpServers, not by the name that it was given', async () => {
    await using place = await stage(callOnce('mcp__welcome__greet', { name: 'you' }));
    await using session = await openSession({
      ...place.options,
      mcpServers: { welcome: open() },
      permissions: { allow: ['mcp__welcome'] },
    });
    expect(await session.send('go').result).toMatchObject({
      text: expect.stringContaining('The tool said: Hello you'),
    });
  });

  it('is dialled once for two sessions at the same time', async () => {
    await using place = await stage(callOnce('mcp__greeting__greet', { name: 'you' }));
    const greeting = open();
    const options = { ...place.options, mcpServers: { greeting }, permissions: { allow: ['mcp__greeting'] } };
    const sessions = await Promise.all([openSession(options), openSession(options)]);
    const outcomes = await Promise.all(sessions.map((session) => session.send('go').result));
    const texts = outcomes.map((outcome) => (outcome.kind === 'completed' ? outcome.text : outcome.kind));
    await Promise.all(sessions.map((session) => session.close()));
    expect(texts[0]).toContain('Hello you');
    expect(texts[1]).toBe(texts[0]);
  });
});

withCli('canUseTool in the drop-in', () => {
  it('#2 is asked with a string prompt, and its changed input is what runs', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch one' }));
    const asked: unknown[] = [];
    const options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      canUseTool: async (name: string, input: Record<string, unknown>, { toolUseID }: { toolUseID: string }) => {
        asked.push([name, input, typeof toolUseID]);
        return { behavior: 'allow' as const, updatedInput: { command: 'touch two' } };
      },
    };
    for await (const _ of query({ prompt: 'go', options }));
    expect(asked).toEqual([['Bash', { command: 'touch one' }, 'string']]);
    expect([existsSync(join(place.home.cwd, 'one')), existsSync(join(place.home.cwd, 'two'))]).toEqual([false, true]);
  });
});

withCli('A CLI run through a wrapper command', () => {
  it('#48 sees every option', async () => {
    await using place = await stage(['wrapped']);
    const wrapper = join(place.home.root, 'wrapper.sh');
    const seen = join(place.home.root, 'seen');
    await writeFile(wrapper, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$ONLY" "$@" > '${seen}'\nexec '${cli}' "$@"\n`, {
      mode: 0o755,
    });
    const outcome = await ask('hi', {
      ...place.options,
      executable: wrapper,
      env: { policy: 'exact', set: { ...place.env, ONLY: 'this' } },
      model: 'claude-sonnet-4-5',
      systemPrompt: 'Wrapped prompt.',
      maxTurns: 7,
    }).outcome;
    expect(outcome).toMatchObject({ kind: 'completed', text: 'wrapped' });
    expect((await readFile(seen, 'utf8')).split('\n')).toEqual(
      expect.arrayContaining([place.home.cwd, 'this', '--model=claude-sonnet-4-5', '--max-turns=7']),
    );
    expect(place.loopback.requests[0]?.body).toMatchObject({ model: 'claude-sonnet-4-5' });
    expect(JSON.stringify(place.loopback.requests[0]?.body.system)).toContain('Wrapped prompt.');
  });
});

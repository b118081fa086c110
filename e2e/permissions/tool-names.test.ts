import type { Warning } from '@hexagent/ports';
import { createSdk, openSession } from '@hexagent/sdk';
import { createQuery, query } from '@hexagent/sdk/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

const officially = ({ home, env }: Stage): { cwd: string; env: Record<string, string> } => ({
  cwd: home.cwd,
  env: { ...env },
});

withCli('The name of a tool', () => {
  it('with other capitals matches nothing at the agent, in a rule as in a matcher, and query() passes it on', async () => {
    await using place = await stage([toolUse('Bash', { command: 'echo it ran' }), 'Done.']);
    const called: string[] = [];
    const noting = (matcher: string): { matcher: string; hooks: (() => Promise<object>)[] } => ({
      matcher,
      hooks: [async () => (called.push(matcher), {})],
    });
    const options = {
      ...officially(place),
      pathToClaudeCodeExecutable: cli,
      allowedTools: ['Bash'],
      disallowedTools: ['bash', 'BASH(echo *)'],
      hooks: { PreToolUse: ['bash', 'BASH|Write', 'Write,bash', 'Bash', 'Write, Bash', '[Bb]ash'].map(noting) },
    };
    const results: unknown[] = [];
    for await (const message of query({ prompt: 'Hello', options }))
      if (message.type === 'user') results.push(message.message.content);
    expect(JSON.stringify(results)).toContain('it ran');
    expect(called).toEqual(['Bash', 'Write, Bash', '[Bb]ash']);
  });

  it('is checked by openSession() for every tool of the agent: with other capitals it is refused', async () => {
    await using place = await stage(['Done.']);
    await using session = await openSession(place.options);
    const tools: string[] = [];
    for await (const message of session.send('Hello'))
      if (message.type === 'system' && message.subtype === 'init' && Array.isArray(message['tools']))
        tools.push(...message['tools'].map(String));
    expect(tools).toContain('Bash');
    for (const name of tools)
      await expect(openSession({ ...place.options, tools: [name.toLowerCase()] })).rejects.toThrow(
        `Did you mean "${name}"?`,
      );
  });

  it('that is misspelt in a rule or a matcher is warned of by both faces, and no name that the agent lists is', async () => {
    await using place = await stage(['Done.', 'Done.', 'Done.']);
    const native: Warning[] = [];
    const { openSession: open } = createSdk({ onWarning: (warning) => void native.push(warning) });
    const listed: string[] = [];
    await using first = await open({ ...place.options, permissions: { deny: ['Bsh', 'mcp__bsh'], ask: ['Bsh'] } });
    for await (const message of first.send('Hello'))
      if (message.type === 'system' && message.subtype === 'init') listed.push(...message.tools);
    expect(native.map(({ message }) => message)).toEqual([
      'A rule of `permissions.deny` names "Bsh", and the agent has no such tool: it covers nothing. Did you mean "Bash"?',
    ]);
    await using second = await open({ ...place.options, permissions: { ask: listed, deny: ['Teleport'] } });
    await second.send('Hello').result;
    expect(native).toHaveLength(1);

    const official: Warning[] = [];
    const options = {
      ...officially(place),
      pathToClaudeCodeExecutable: cli,
      allowedTools: [...listed, 'WebSerch'],
      disallowedTools: ['Bsh(rm *)'],
      hooks: { PreToolUse: [{ matcher: ['Raed', ...listed].join('|'), hooks: [async () => ({})] }] },
    };
    const asking = createQuery({ onWarning: (warning) => void official.push(warning) });
    for await (const _ of asking({ prompt: 'Hello', options }));
    expect(official.map(({ message }) => message)).toEqual([
      'A rule of `allowedTools` names "WebSerch", and the agent has no such tool: it covers nothing. Did you mean "WebSearch"?',
      'A rule of `disallowedTools` names "Bsh", and the agent has no such tool: it covers nothing. Did you mean "Bash"?',
      'The matcher of a hook for PreToolUse names "Raed", and the agent has no such tool. Did you mean "Read"?',
    ]);
  });

  it('with other capitals in `tools` removes the tool, and query() passes it on', async () => {
    await using place = await stage(['Done.']);
    const options = { ...officially(place), pathToClaudeCodeExecutable: cli, tools: ['read', 'Bash'] };
    const tools: unknown[] = [];
    for await (const message of query({ prompt: 'Hello', options }))
      if (message.type === 'system' && message.subtype === 'init') tools.push(message.tools);
    expect(tools).toEqual([['Bash']]);
  });
});

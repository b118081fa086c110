import { openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

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

  it('is known to openSession() for every tool of the agent: with other capitals it is refused', async () => {
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

  it('with other capitals in `tools` removes the tool, and query() passes it on', async () => {
    await using place = await stage(['Done.']);
    const options = { ...officially(place), pathToClaudeCodeExecutable: cli, tools: ['read', 'Bash'] };
    const tools: unknown[] = [];
    for await (const message of query({ prompt: 'Hello', options }))
      if (message.type === 'system' && message.subtype === 'init') tools.push(message.tools);
    expect(tools).toEqual([['Bash']]);
  });
});

// The failures that a program can distinguish.
import { query, type Options } from '@anthropic-ai/claude-agent-sdk';

async function attempt(name: string, prompt: string, options: Options): Promise<void> {
  const seen: string[] = [];
  try {
    for await (const message of query({ prompt, options })) {
      if (message.type === 'assistant' && message.error) seen.push(`assistant ${message.error}`);
      if (message.type === 'system' && message.subtype === 'api_retry') seen.push('retry');
      if (message.type === 'result')
        seen.push(
          message.subtype === 'success' ? `success ${message.is_error}` : `${message.subtype} ${message.errors.length}`,
        );
    }
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('error result')) seen.push('threw the result');
    else if (/exited with code \d+/.test(message)) seen.push('threw the exit');
    else seen.push('threw');
  }
  console.log(`${name}: ${seen.join(', ')}`);
}

await attempt('too many turns', 'Loop.', { maxTurns: 2, allowedTools: ['Bash'] });
await attempt('no credit', 'Pay.', {});
await attempt('overloaded once', 'Retry.', {});
await attempt('a bad flag', 'Go.', { extraArgs: { 'no-such-flag': null } });
await attempt('no such CLI', 'Go.', { pathToClaudeCodeExecutable: '/nowhere/claude' });
await attempt('an unknown session', 'Go.', { resume: '00000000-0000-4000-8000-000000000000' });

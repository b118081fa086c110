import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';

async function answerIn(cwd: string): Promise<string> {
  const configDir = await mkdtemp(join(tmpdir(), 'config-'));
  const env = { ...process.env, CLAUDE_CONFIG_DIR: configDir };
  for await (const message of query({ prompt: 'What is in this folder?', options: { cwd, env, settingSources: [] } })) {
    if (message.type !== 'result') continue;
    if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
    return message.result;
  }
  throw new Error('It ended without an answer.');
}

console.log(await Promise.all(process.argv.slice(2).map(answerIn)));

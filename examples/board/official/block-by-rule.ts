import { query } from '@anthropic-ai/claude-agent-sdk';

const options = { allowedTools: ['Bash'], disallowedTools: ['Bash(rm *)'] };
for await (const message of query({ prompt: 'Clean this folder up.', options })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}

import { query } from '@anthropic-ai/claude-agent-sdk';

for await (const message of query({ prompt: 'What is 6 times 7?' })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}

import { query } from '@anthropic-ai/claude-agent-sdk';

const options = { includePartialMessages: true };
for await (const message of query({ prompt: 'Tell me a story.', options })) {
  if (message.type === 'result' && (message.subtype !== 'success' || message.is_error))
    throw new Error(`It failed: ${message.subtype}`);
  if (message.type !== 'stream_event' || message.parent_tool_use_id !== null) continue;
  const { event } = message;
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') process.stdout.write(event.delta.text);
}

import { listSessions, query } from '@anthropic-ai/claude-agent-sdk';

const [last] = await listSessions({ dir: process.cwd(), limit: 1 });
if (last === undefined) throw new Error('Nothing is stored for this folder.');
for await (const message of query({ prompt: 'Where were we?', options: { resume: last.sessionId } })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}

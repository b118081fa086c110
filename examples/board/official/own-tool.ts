import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const roll = tool('roll', 'Rolls a die', { sides: z.number() }, async ({ sides }) => ({
  content: [{ type: 'text', text: String(1 + Math.floor(Math.random() * sides)) }],
}));
const dice = createSdkMcpServer({ name: 'dice', tools: [roll] });
const options = { mcpServers: { dice }, allowedTools: ['mcp__dice__roll'] };
for await (const message of query({ prompt: 'Roll a die with 20 sides.', options })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}

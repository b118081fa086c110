// Tools of the program's own.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const add = tool(
  'add',
  'Adds two numbers.',
  { a: z.number(), b: z.number() },
  async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  { annotations: { readOnlyHint: true } },
);
const divide = tool('divide', 'Divides.', { a: z.number(), b: z.number() }, async ({ a, b }) =>
  b === 0
    ? { content: [{ type: 'text' as const, text: 'There is no such number.' }], isError: true }
    : { content: [{ type: 'text' as const, text: String(a / b) }] },
);
const greet = tool('greet', 'Greets.', { who: z.enum(['Ada', 'Bob']), loud: z.boolean().optional() }, async (args) => {
  const greeting = `Hello ${args.who}`;
  return { content: [{ type: 'text', text: args.loud ? greeting.toUpperCase() : greeting }] };
});

const calculator = createSdkMcpServer({ name: 'calculator', version: '2.0.0', tools: [add, divide, greet] });
for await (const message of query({
  prompt: 'Calculate.',
  options: {
    mcpServers: { calculator },
    allowedTools: ['mcp__calculator__add', 'mcp__calculator__divide', 'mcp__calculator__greet'],
  },
})) {
  if (message.type === 'system' && message.subtype === 'init') {
    const own = message.tools.filter((name) => name.startsWith('mcp__calculator'));
    console.log(message.mcp_servers.map(({ name, status }) => `${name} ${status}`).join(), own.join());
  }
  if (message.type === 'user' && typeof message.message.content !== 'string') {
    for (const block of message.message.content)
      if (block.type === 'tool_result')
        console.log(block.is_error ?? false, block.is_error ? '' : JSON.stringify(block.content));
  }
  if (message.type === 'result') console.log(message.subtype);
}

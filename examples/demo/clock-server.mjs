// An MCP server with one tool, in plain JavaScript: a line in, a line out.
import { createInterface } from 'node:readline';

const tools = [{ name: 'now', description: 'The time', inputSchema: { type: 'object' } }];
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'clock', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue; // a notification wants no answer
  const result = results[method];
  const answer = result ? { result: result(params) } : { error: { code: -32601, message: `There is no ${method}.` } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}

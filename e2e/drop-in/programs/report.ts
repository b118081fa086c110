// A job that runs once, with a few tools, and reports what it did and what it cost.
import { query, type Options, type SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';

const options: Options = {
  cwd: process.cwd(),
  allowedTools: ['Read', 'Bash(wc *)'],
  disallowedTools: ['WebSearch', 'WebFetch'],
  maxTurns: 5,
  settingSources: [],
  stderr: () => {},
};

let result: SDKResultMessage | undefined;
const tools = new Map<string, string>();
for await (const message of query({ prompt: 'How long are the notes?', options })) {
  if (message.type === 'system' && message.subtype === 'init') {
    console.log(`started with ${message.model} in ${message.cwd === process.cwd() ? 'this folder' : message.cwd}`);
  }
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type !== 'tool_use') continue;
      tools.set(block.id, block.name);
      console.log(`${block.name} ${JSON.stringify(block.input)}`);
    }
  }
  if (message.type === 'user' && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (typeof block === 'string' || block.type !== 'tool_result') continue;
      console.log(
        `${tools.get(block.tool_use_id)} ${block.is_error ? 'failed' : 'said'} ${JSON.stringify(block.content)}`,
      );
    }
  }
  if (message.type === 'result') result = message;
}
if (result?.subtype === 'success') console.log(result.result);
console.log(`${result?.num_turns} turns, $${result?.total_cost_usd.toFixed(4)}, ${result?.usage.output_tokens} tokens`);
console.log(`denied: ${result?.permission_denials.map(({ tool_name }) => tool_name).join() || 'nothing'}`);

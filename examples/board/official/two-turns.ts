import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';

const prompts = ['Which tests are slow?', 'And which is the slowest?'];
let ended = () => {};

async function* messages(): AsyncGenerator<SDKUserMessage> {
  for (const content of prompts) {
    const turn = new Promise<void>((resolve) => (ended = resolve));
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
    await turn;
  }
}

for await (const message of query({ prompt: messages() })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
  ended();
}

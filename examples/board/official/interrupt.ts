import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';

let ended = () => {};

// An agent can be interrupted only while its input is open.
async function* messages(): AsyncGenerator<SDKUserMessage> {
  const turn = new Promise<void>((resolve) => (ended = resolve));
  yield { type: 'user', message: { role: 'user', content: 'Count to a million.' }, parent_tool_use_id: null };
  await turn;
}

const answer = query({ prompt: messages() });
const timer = setTimeout(() => void answer.interrupt(), 2000);
try {
  for await (const message of answer) {
    if (message.type !== 'result') continue;
    clearTimeout(timer);
    console.log(message.terminal_reason);
    ended();
  }
} catch (error) {
  // The loop throws after an interrupt, behind the result.
  console.error(error instanceof Error ? error.message : error);
}

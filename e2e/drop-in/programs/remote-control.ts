// A session that is steered while it lives: its model, its mode, what it can do, and a stop.
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';

let next: (text: string | undefined) => void = () => {};
async function* prompts(): AsyncGenerator<SDKUserMessage> {
  for (let text: string | undefined = 'one'; text !== undefined;) {
    yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null };
    text = await new Promise((resolve) => (next = resolve));
  }
}

const session = query({ prompt: prompts(), options: { includePartialMessages: true } });
const commands = await session.supportedCommands();
const models = await session.supportedModels();
console.log(
  commands.some(({ name }) => name === 'compact'),
  models.length > 0,
  (await session.mcpServerStatus()).length,
);

const script: readonly (() => Promise<string | undefined>)[] = [
  async () => (await session.setModel('claude-haiku-4-5'), 'two'),
  async () => (await session.setPermissionMode('acceptEdits'), 'write it'),
  async () => 'forever',
  async () => undefined,
];
let done = 0;
try {
  for await (const message of session) {
    if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
      const { delta } = message.event;
      if (delta.type === 'text_delta' && delta.text === 'on and on') await session.interrupt();
    }
    if (message.type !== 'result') continue;
    console.log(message.subtype, message.subtype === 'success' ? message.result : message.is_error);
    next(await script[done++]?.());
  }
} catch (error) {
  console.log(`over: ${(error as Error).message}`);
}

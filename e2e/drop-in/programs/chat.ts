// A chat in a terminal: one conversation for all that is typed.
import { createInterface } from 'node:readline';
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';

class MessageQueue implements AsyncIterable<SDKUserMessage> {
  private readonly waiting: SDKUserMessage[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  push(content: string): void {
    this.waiting.push({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SDKUserMessage> {
    for (;;) {
      const next = this.waiting.shift();
      if (next) yield next;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

const queue = new MessageQueue();
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function nextLine(): Promise<void> {
  const { value, done } = await lines.next();
  if (done || value === 'exit') queue.end();
  else queue.push(value);
}

await nextLine();
let turns = 0;
for await (const message of query({ prompt: queue, options: { systemPrompt: 'You chat.' } })) {
  switch (message.type) {
    case 'assistant':
      for (const block of message.message.content) if (block.type === 'text') console.log(`< ${block.text}`);
      break;
    case 'result':
      turns += 1;
      await nextLine();
      break;
    default:
  }
}
console.log(`${turns} turns`);

// Makes the agent look like a language model of another library: generate and stream, with usage and a reason to finish.
import { query, type Options, type SDKMessage, type SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';

type StreamPart =
  | { type: 'stream-start'; model: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }
  | { type: 'tool-result'; toolCallId: string; result: unknown }
  | { type: 'finish'; finishReason: string; usage: { inputTokens: number; outputTokens: number } };

const finishReason = (result: SDKResultMessage): string =>
  result.subtype === 'success' ? 'stop' : result.subtype === 'error_max_turns' ? 'length' : 'error';

function* toParts(message: SDKMessage): Generator<StreamPart> {
  switch (message.type) {
    case 'system':
      if (message.subtype === 'init') yield { type: 'stream-start', model: message.model };
      return;
    case 'stream_event': {
      const { event } = message;
      if (event.type !== 'content_block_delta') return;
      const id = String(event.index);
      if (event.delta.type === 'text_delta') yield { type: 'text-delta', id, delta: event.delta.text };
      if (event.delta.type === 'input_json_delta')
        yield { type: 'tool-input-delta', id, delta: event.delta.partial_json };
      return;
    }
    case 'assistant':
      for (const block of message.message.content)
        if (block.type === 'tool_use')
          yield { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: JSON.stringify(block.input) };
      return;
    case 'user': {
      const { content } = message.message;
      if (typeof content === 'string') return;
      for (const block of content)
        if (block.type === 'tool_result')
          yield { type: 'tool-result', toolCallId: block.tool_use_id, result: block.content };
      return;
    }
    case 'result': {
      const usage = { inputTokens: message.usage.input_tokens, outputTokens: message.usage.output_tokens };
      yield { type: 'finish', finishReason: finishReason(message), usage };
      return;
    }
    default:
  }
}

function doStream(prompt: string, options: Options): ReadableStream<StreamPart> {
  const messages = query({ prompt, options: { ...options, includePartialMessages: true } });
  return new ReadableStream(
    {
      async pull(controller) {
        for (let enqueued = 0; enqueued === 0;) {
          const { value, done } = await messages.next();
          if (done) return controller.close();
          for (const part of toParts(value)) {
            controller.enqueue(part);
            enqueued += 1;
          }
        }
      },
      async cancel() {
        await messages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const reader = doStream('Look around.', { allowedTools: ['Bash'] }).getReader();
for (;;) {
  const { value, done } = await reader.read();
  if (done) break;
  console.log(JSON.stringify(value));
}

// A reader that has seen enough.
for await (const part of doStream('Look around.', { allowedTools: ['Bash'] })) {
  if (part.type !== 'text-delta' && part.type !== 'tool-call') continue;
  console.log(`cancelled at ${part.type}`);
  break;
}

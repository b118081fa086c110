// Less than its counterpart: no approvals, no reload, no history, no limits, and nothing outlives the process.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { query } from '@anthropic-ai/claude-agent-sdk';

interface Body {
  readonly id: string;
  readonly messages: readonly { readonly parts: readonly { readonly type: string; readonly text?: string }[] }[];
}

const sessions = new Map<string, string>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, messages } = (await json(request)) as Body;
  const prompt = (messages.at(-1)?.parts ?? []).map(({ text = '' }) => text).join('');
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' });
  const send = (chunk: object): void => void response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  const resume = sessions.get(id);
  const options = {
    allowedTools: ['Read', 'Grep'],
    includePartialMessages: true,
    abortController: controller,
    ...(resume === undefined ? {} : { resume }),
  };
  send({ type: 'start' });
  for await (const message of query({ prompt, options })) {
    if (message.type === 'system' && message.subtype === 'init') sessions.set(id, message.session_id);
    if (message.type === 'result' && (message.subtype !== 'success' || message.is_error))
      throw new Error(`It failed: ${message.subtype}`);
    if (message.type !== 'stream_event' || message.parent_tool_use_id !== null) continue;
    const { event } = message;
    if (event.type === 'content_block_start' && event.content_block.type === 'text')
      send({ type: 'text-start', id: String(event.index) });
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      send({ type: 'text-delta', id: String(event.index), delta: event.delta.text });
  }
  send({ type: 'finish' });
  response.end('data: [DONE]\n\n');
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.end(`data: ${JSON.stringify({ type: 'error', errorText: String(error) })}\n\n`);
  });
}).listen(Number(process.argv[2] ?? 3000), '127.0.0.1');

// Behind a web page: each request is a conversation that is streamed to the browser, and ends when the browser leaves.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { query } from '@anthropic-ai/claude-agent-sdk';

const ended: string[] = [];
const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const prompt = new URL(request.url ?? '', 'http://localhost').searchParams.get('q') ?? '';
  const abortController = new AbortController();
  response.on('close', () => abortController.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  try {
    for await (const message of query({ prompt, options: { abortController, includePartialMessages: true } })) {
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta')
        response.write(`data: ${JSON.stringify(message.event.delta)}\n\n`);
      if (message.type === 'result') response.write(`event: done\ndata: ${message.subtype}\n\n`);
    }
    ended.push(`${prompt}: finished`);
  } catch (error) {
    ended.push(`${prompt}: ${abortController.signal.aborted ? 'left' : String(error)}`);
  }
  response.end();
  server.emit('served');
}

await once(server.listen(0, '127.0.0.1'), 'listening');
const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?q=`;

console.log(await (await fetch(`${page}hello`)).text());

const leaving = new AbortController();
const served = once(server, 'served');
const { body } = await fetch(`${page}forever`, { signal: leaving.signal });
const first = await body?.getReader().read();
console.log(new TextDecoder().decode(first?.value).split('\n')[0]);
leaving.abort();
await served;
console.log(ended.join('\n'));
server.close();

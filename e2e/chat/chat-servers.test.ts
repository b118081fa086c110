import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createChatHandler, type ChatHandler } from '@hexagent/http-chat';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { onHono } from '../../examples/chat/other-servers.ts';
import { otherRuntimes } from '../support/other-runtimes.ts';

const program = fileURLToPath(new URL('served.ts', import.meta.url));
const fromSources = '--conditions=@hexagent/source';
const message = { id: 'chat', message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] } };
const headers = { 'content-type': 'application/json' };

const servers = [
  { name: 'Node, node:http', executable: process.execPath, args: [], server: 'node' },
  ...otherRuntimes().flatMap(({ name, executable, args }) => [
    { name: `${name}, node:http`, executable, args, server: 'node' },
    { name: `${name}, its own server`, executable, args, server: 'own' },
  ]),
];

interface Server extends AsyncDisposable {
  readonly url: string;
}

async function start(executable: string, args: readonly string[]): Promise<Server> {
  // Its environment is its own: nothing of the machine's is needed to serve.
  const child = spawn(executable, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]; // the program prints it
  return {
    url: `http://127.0.0.1:${port}/api`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe.each(servers)('#66 A handler of a chat page on $name', ({ executable, args, server }) => {
  it.skipIf(executable === undefined)('streams as it comes, lets a reader go, and knows who calls', async () => {
    await using served = await start(executable ?? '', [...args, fromSources, program, server]);
    const closing = new AbortController();
    const sending = { method: 'POST', headers, body: JSON.stringify(message), signal: closing.signal };
    const response = await fetch(`${served.url}/chat`, sending);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data: 3')) text += (await reader?.read())?.value ?? '';
    expect([response.status, text]).toEqual([200, 'data: 1\n\ndata: 2\n\ndata: 3\n\n']);
    closing.abort();
    const wasLet = async (): Promise<unknown> =>
      await (await fetch(`${served.url}/chat/chat/interrupt`, { method: 'POST' })).json();
    // The program answers whether the body of the response was cancelled.
    await vi.waitFor(async () => expect(await wasLet()).toEqual({ interrupted: true }));
    const idle = await fetch(`${served.url}/chat/chat/stream`);
    expect([idle.status, await idle.text()]).toEqual([204, '']);
    const foreign = await fetch(`${served.url}/sessions`, { headers: { origin: 'https://evil.example' } });
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { code: 'ORIGIN_REFUSED' } }]);
  });
});

describe('#66 A handler of a chat page in Hono', () => {
  it('is a route among others', async () => {
    const app = new Hono();
    const chat = handler();
    app.get('/', (context) => context.text('the page'));
    onHono(app, chat.handle);
    expect(await (await app.request('http://localhost/')).text()).toBe('the page');
    const sent = await app.request('http://localhost/api/chat', {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
    });
    expect([sent.status, await sent.text()]).toEqual([200, 'data: all\n\n']);
    expect((await app.request('http://localhost/api/chat/chat/stream')).status).toBe(204);
    expect((await app.request('http://localhost/api/none')).status).toBe(404);
  });
});

function handler(): ChatHandler {
  const stream = (): ReadableStream<Uint8Array> => new Blob(['data: all\n\n']).stream();
  return createChatHandler({
    sessions: {
      start: async () => ({ kind: 'accepted', stream: { headers: {}, body: stream() } }),
      stream: async () => undefined,
      interrupt: async () => false,
      restart: async () => false,
      discard: async () => false,
      list: async () => [],
      rename: async () => false,
      delete: async () => false,
    },
    history: { messages: async () => undefined },
    approvals: { settle: async () => ({ kind: 'unknown' }) },
    onError: (error) => {
      throw error;
    },
  });
}

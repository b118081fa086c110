import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { toNodeListener, type ChatHandlerOptions } from '../src/index.ts';
import { chatBody, place, type Place } from './chat-double.ts';

interface Served extends Place, AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly server: Server;
}

async function serve(options: Partial<ChatHandlerOptions> = {}): Promise<Served> {
  const here = place(options);
  const onError = (error: unknown): void => void here.errors.push(error);
  const server = createServer(toNodeListener(here.handler.handle, { onError })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    ...here,
    server,
    port,
    url: `http://127.0.0.1:${port}/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const post = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init });

describe('toNodeListener()', () => {
  it('refuses the chat in place of its function: it would drop each connection', () => {
    const { handler } = place();
    // @ts-expect-error: a program without types may
    expect(() => toNodeListener(handler)).toThrow('toNodeListener() takes a function, such as `chat.handle`, not ');
    // @ts-expect-error: the same
    expect(() => toNodeListener(handler.handle, { onError: 'log' })).toThrow('`onError` must be a function, not ');
  });
});

describe('A handler behind `node:http`', () => {
  it('streams each piece as it comes, and answers before the first one', async () => {
    await using served = await serve();
    const response = await post(`${served.url}/chat`, chatBody());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const turn = served.chats.turnOf('chat1');
    turn?.write('one');
    expect((await reader?.read())?.value).toBe('one');
    turn?.write('two');
    expect((await reader?.read())?.value).toBe('two');
    turn?.end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('answers 204 without a body, and many requests on one connection', async () => {
    await using served = await serve();
    for (let round = 0; round < 3; round += 1) {
      const response = await fetch(`${served.url}/chat/chat1/stream`);
      expect([response.status, await response.text()]).toEqual([204, '']);
    }
  });

  it('lets a reader go when its connection closes, and no other', async () => {
    await using served = await serve();
    const closing = new AbortController();
    await post(`${served.url}/chat`, chatBody(), { signal: closing.signal });
    const other = await fetch(`${served.url}/chat/chat1/stream`);
    const turn = served.chats.turnOf('chat1');
    closing.abort();
    await vi.waitFor(() => expect(turn?.cancelled).toBe(1));
    turn?.write('goes on');
    turn?.end();
    expect([await other.text(), served.errors]).toEqual(['goes on', []]);
  });

  it('takes no more from a turn than a slow reader reads', async () => {
    await using served = await serve();
    let pulled = 0;
    const piece = new Uint8Array(64 * 1024);
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      pulled += piece.byteLength;
      controller.enqueue(piece);
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    served.chats.nextStart = { kind: 'accepted', stream: { headers: {}, body } };
    const sending = httpRequest(`${served.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sending.end(JSON.stringify(chatBody()));
    const [response] = (await once(sending, 'response')) as [IncomingMessage]; // as the event is documented
    // It stops somewhere, once the buffers of both ends are full: 64 MB would be no bound.
    let before = -1;
    await vi.waitFor(
      () => {
        const [last, now] = [before, pulled];
        before = now;
        expect([now > 0, now - last]).toEqual([true, 0]);
      },
      { interval: 200 },
    );
    expect(pulled).toBeLessThan(64 * 1024 * 1024);
    response.destroy();
  });

  it('closes the connection on a body that it did not read to its end', async () => {
    await using served = await serve({ limits: { bodyBytes: 1000 } });
    const socket = connect(served.port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += String(bytes))).on('error', () => {}); // closing on unread bytes may reset
    socket.write(
      `POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`,
    );
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/connection: close/i);
  });

  it('reads no second request out of a body that was too long', async () => {
    await using served = await serve({ limits: { bodyBytes: 10 } });
    const socket = connect(served.port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += String(bytes))).on('error', () => {}); // see above
    const hidden = 'DELETE /api/sessions/chat1 HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const head = 'POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    socket.write(`${head}content-length: ${hidden.length + 500}\r\n\r\n${hidden}`);
    await once(socket, 'close');
    expect([received.match(/HTTP\/1\.1 /g)?.length, served.chats.received]).toEqual([1, []]);
  });

  it('answers a sender of a long body, which then may stop sending', async () => {
    await using served = await serve({ limits: { bodyBytes: 100_000 } });
    const response = await post(`${served.url}/chat`, chatBody('x'.repeat(200_000)));
    expect(response.status).toBe(413);
  });

  it('receives the address at the other end, and the name by which it was called', async () => {
    await using served = await serve();
    const sending = httpRequest(`${served.url}/sessions`, { headers: { host: 'evil.example' } }).end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage]; // as the event is documented
    expect(response.resume().statusCode).toBe(403);
  });

  it('refuses a request whose connection was reset before it was read: it could come from anywhere', async () => {
    await using served = await serve();
    const requested = once(served.server, 'request') as Promise<[IncomingMessage, ServerResponse]>; // as documented
    const body = JSON.stringify(chatBody());
    const socket = connect(served.port, '127.0.0.1', () => {
      const head = 'POST /api/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
      // Before the server has looked at the connection.
      socket.resetAndDestroy();
    });
    const [incoming, outgoing] = await requested;
    expect(incoming.socket.remoteAddress).toBeUndefined();
    await vi.waitFor(() => expect(outgoing.headersSent).toBe(true));
    expect([outgoing.statusCode, served.chats.received, served.errors]).toEqual([403, [], []]);
  });

  it('answers on a pipe, which has no addresses', async () => {
    await using served = await serve();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hexagent-pipe-'));
    const path = join(folder.path, 'pipe');
    const server = createServer(toNodeListener(served.handler.handle)).listen(path);
    await once(server, 'listening');
    const sending = httpRequest({ socketPath: path, path: '/api/sessions', headers: { host: 'localhost' } }).end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage]; // as the event is documented
    expect(response.resume().statusCode).toBe(200);
    server.close();
  });

  it('reports that the body was read before, as by a parser of a framework', async () => {
    await using served = await serve();
    const listener = toNodeListener(served.handler.handle);
    const server = createServer((incoming, outgoing) => {
      incoming.resume().once('end', () => listener(incoming, outgoing));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
    const response = await post(`http://127.0.0.1:${port}/api/chat`, chatBody());
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('express.json()')]);
    expect((await fetch(`http://127.0.0.1:${port}/api/sessions`)).status).toBe(200);
    server.close();
  });

  it('answers what no browser sends', async () => {
    await using served = await serve();
    const ask = async (text: string): Promise<string> => {
      const socket = connect(served.port, '127.0.0.1');
      let received = '';
      socket.on('data', (bytes) => (received += String(bytes))).on('error', () => {}); // closed by the server
      socket.write(text);
      await once(socket, 'close');
      return received.slice(0, 12);
    };
    const end = 'host: localhost\r\nconnection: close\r\n\r\n';
    expect(await ask(`GET http://evil.example/api/sessions HTTP/1.1\r\n${end}`)).toBe('HTTP/1.1 400');
    expect(await ask(`GET //evil.example/api HTTP/1.1\r\n${end}`)).toBe('HTTP/1.1 404');
    expect(await ask(`TRACE /api/sessions HTTP/1.1\r\n${end}`)).toBe('HTTP/1.1 400');
    expect(await ask('GET /api/sessions HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')).toBe('HTTP/1.1 400');
    expect(served.errors).toEqual([]);
  });

  it('ends the connection when a turn breaks off, so that no half answer passes for a whole one', async () => {
    await using served = await serve();
    const response = await post(`${served.url}/chat`, chatBody());
    const turn = served.chats.turnOf('chat1');
    turn?.write('half');
    const text = response.text();
    turn?.fail(new Error('The agent is gone.'));
    await expect(text).rejects.toThrow('terminated');
    await vi.waitFor(() => expect(served.errors).toMatchObject([{ message: 'The agent is gone.' }]));
  });
});

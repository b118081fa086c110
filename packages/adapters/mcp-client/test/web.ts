import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { makeNotes } from './fixtures/notes.mjs';
import { external, type ExternalServer, type HttpServer } from '../src/index.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A web server on this machine, for one test. */
export interface Web extends AsyncDisposable {
  readonly url: string;
  readonly requests: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly path: string }[];
  /** How many requests are not answered to the end. */
  open(): number;
  /** Cuts every connection and takes no more. */
  stop(): Promise<void>;
}

export async function startWeb(handler: Handler, port = 0): Promise<Web> {
  const requests: Web['requests'] = [];
  let open = 0;
  const server = createServer((request, response) => {
    const { method = '', headers, url: path = '' } = request;
    requests.push({ method, headers, path });
    open += 1;
    response.once('close', () => (open -= 1));
    Promise.resolve(handler(request, response)).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${taken}/mcp`,
    requests,
    open: () => open,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

/** The server of notes-server.mjs over HTTP: a session for each client that introduces itself. */
export function notesHandler(sessions = new Map<string, StreamableHTTPServerTransport>()): Handler {
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return await known.handleRequest(request, response);
    if (id !== undefined) return response.writeHead(404).end('Session not found');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await makeNotes([]).connect(transport);
    return await transport.handleRequest(request, response);
  };
}

/** The same in the form of older servers. */
export const olderNotesHandler = (): Handler => servingOlder(() => makeNotes([]));

/** Serves by server-sent events, with a server for each client. */
export function servingOlder(make: () => Server): Handler {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (pathname === '/messages')
      return await sessions.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    if (request.method !== 'GET') return response.writeHead(405).end();
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return await make().connect(transport);
  };
}

export interface Reached extends AsyncDisposable {
  readonly server: ExternalServer;
  readonly web: Web;
}

/** A server of a test, reached by its url. */
export async function reach(handler: Handler, options: Partial<HttpServer> = {}): Promise<Reached> {
  const web = await startWeb(handler);
  const server = external({ name: 'notes', url: web.url, ...options });
  return {
    server,
    web,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await web.stop();
    },
  };
}

const introduction = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
};

/** A server by hand: it introduces itself as it should, and leaves every other request to `answer`. */
export function rawHandler(
  answer: (call: Record<string, unknown>, response: ServerResponse, request: IncomingMessage) => unknown,
  get: Handler = (_, response) => response.writeHead(405).end(),
): Handler {
  return async (request, response) => {
    if (request.method === 'GET') return get(request, response);
    if (request.method === 'DELETE') return response.writeHead(200).end();
    const message = await bodyOf(request);
    if (message['method'] === 'initialize')
      return json(response, { jsonrpc: '2.0', id: message['id'], result: introduction }, { 'mcp-session-id': 's1' });
    if (message['id'] === undefined) return response.writeHead(202).end();
    return answer(message, response, request);
  };
}

export function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function events(response: ServerResponse): { send(event: string): void } {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return { send: (event) => void response.write(event) };
}

export const textResult = (id: unknown, text: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});

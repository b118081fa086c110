import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorText, hasCode } from '@hexagent/checks';
import { hasToken, isFromHere, newToken, securityHeaders } from './access.ts';
import { pageFile } from './page-files.ts';
import type { Source, SourceEvent } from './source.ts';

/** The server of a page. */
export interface InspectorServer {
  /** With the token behind the `#`. */
  readonly url: string;
  /** Ends it and what reads from it. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

interface ServeOptions {
  /** Default: one that is free. */
  readonly port?: number | undefined;
  /** Whether the process waits for the server. */
  readonly keepsProcess: boolean;
}

/**
 * Serves the page and the runs on the loopback interface.
 * @throws {Error} that names the port, where it cannot be listened on.
 */
export async function serveInspector(
  sources: readonly Source[],
  { port = 0, keepsProcess }: ServeOptions,
): Promise<InspectorServer> {
  const token = newToken();
  const server = createServer((request, response) => {
    answer(request, response, { sources, token }).catch((error: unknown) => fail(response, error));
  });
  if (!keepsProcess) server.on('connection', (socket) => socket.unref());
  await listen(server, port);
  if (!keepsProcess) server.unref();
  // A server that listens on a port has an address with a port.
  const { port: listened } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${listened}/#token=${token}`,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1'); // throws for a port beyond 65535
    await once(server, 'listening');
  } catch (cause) {
    const remedy = hasCode(cause, 'EADDRINUSE')
      ? 'another program uses it. Choose another one, or none'
      : errorText(cause);
    throw new Error(`The inspector cannot use port ${port}: ${remedy}.`, { cause });
  }
}

interface Served {
  readonly sources: readonly Source[];
  readonly token: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, { sources, token }: Served): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isFromHere(request)) return end(response, 403, 'Open the inspector as 127.0.0.1, in a window of its own.');
  if (request.method !== 'GET') return end(response, 405, 'The inspector only shows.');
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const file = await pageFile(pathname);
  if (file !== undefined) {
    response.setHeader('content-type', file.type);
    response.end(file.body);
    return;
  }
  if (!hasToken(request, token)) return end(response, 401, 'Open the address that the program printed.');
  if (pathname === '/runs')
    return end(
      response,
      200,
      JSON.stringify(sources.map(({ name, isLive }) => ({ name, isLive }))),
      'application/json',
    );
  const source = sources[Number(/^\/runs\/(\d{1,3})$/.exec(pathname)?.[1] ?? -1)];
  if (source === undefined) return end(response, 404, 'There is nothing at this address.');
  await stream(source, request, response);
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
  response.end(text);
}

/** Sends a run as server-sent events. The id of an event is the number of lines up to its end, and where a reader continues. */
async function stream(source: Source, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const place = Number(request.headers['last-event-id'] ?? 0);
  for await (const event of source.read(Number.isSafeInteger(place) && place > 0 ? place : 0, gone.signal)) {
    if (gone.signal.aborted) return;
    // A page that reads slowly makes the source wait, and a ring gives up lines meanwhile.
    if (!response.write(toEventText(event))) await drained(response, gone.signal);
  }
  response.end('event: end\ndata: \n\n');
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function toEventText(event: SourceEvent): string {
  if (event.kind === 'dropped') return `event: dropped\ndata: ${event.count}\n\n`;
  if (event.kind === 'program') return `event: program\ndata: ${event.text}\n\n`;
  // Each line is one line of the data. A carriage return would end one, too.
  const lines = event.text.slice(0, -1).replaceAll('\r', '').replaceAll('\n', '\ndata: ');
  return `id: ${event.next}\ndata: ${lines}\n\n`;
}

/** What fails here is a file that cannot be read; the reader sees that the stream ends without its last event. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else end(response, 500, errorText(error));
}

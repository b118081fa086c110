import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A handler of web requests, such as the one of `createChat()`. */
export type Handle = (request: Request) => Promise<Response>;

export interface ServeOptions {
  /** The folder of the built page. */
  readonly page: string;
  /** What answers everything below `/api`. */
  readonly handle: Handle;
  /** A free one unless given. */
  readonly port?: number;
}

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page and the handler behind it, to programs of this machine only. */
export async function serve({ page, handle, port = 0 }: ServeOptions): Promise<PageServer> {
  const server = createServer((request, response) => {
    const answer = request.url?.startsWith('/api/')
      ? answerApi(request, response, handle)
      : answerFile(request, response, page);
    answer.catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerApi(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming);
  const request = new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one ?? ''] as [string, string]),
    ),
    signal: left.signal,
    ...(body && { body: body as ReadableStream, duplex: 'half' as const }), // Node's own type of the same stream
  });
  const response = await handle(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders(); // a stream may be silent for long
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {}); // the reader has gone
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

async function answerFile({ url = '/' }: IncomingMessage, response: ServerResponse, page: string): Promise<void> {
  const { pathname } = new URL(url, 'http://127.0.0.1');
  const file = path.join(page, pathname === '/' ? 'index.html' : path.normalize(decodeURIComponent(pathname)));
  const type = types[path.extname(file)];
  const content = type && file.startsWith(page + path.sep) ? await readFile(file).catch(() => undefined) : undefined;
  if (content === undefined) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, {
      'content-type': type,
      'cache-control': pathname === '/' ? 'no-store' : 'public, max-age=31536000, immutable',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    .end(content);
}

function fail(response: ServerResponse, error: unknown): void {
  console.error(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end();
}

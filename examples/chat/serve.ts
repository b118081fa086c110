import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { toNodeListener, type Chat } from '@hexagent/chat';

/** A handler of web requests, such as the one of `createChat()`. */
export type Handle = Chat['handle'];

export interface ServeOptions {
  /** The folder of the built page. */
  readonly page: string;
  /** What answers everything below `/api`. */
  readonly handle: Handle;
  /** A free one unless given. */
  readonly port?: number;
  /** Receives what went wrong with a connection. */
  readonly onError?: (error: unknown) => void;
}

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page and the handler behind it, to programs of this machine only. */
export async function serve({ page, handle, port = 0, onError = console.error }: ServeOptions): Promise<PageServer> {
  const answerApi = toNodeListener(handle, { onError });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) return answerApi(request, response);
    answerFile(request, response, page).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portProblem(port, cause)));
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

function portProblem(port: number, cause: Error): Error {
  const what = 'code' in cause && cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${cause.message})`;
  return new Error(`Port ${port} ${what}. Name another one with --port, or leave it out for a free one.`, { cause });
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

// Serves a chat with a handler of web requests, on whichever runtime runs it, and prints where.
import { createServer } from 'node:http';
import process from 'node:process';
import { createChatHandler, toNodeListener, type ChatHandlerOptions } from '@hexagent/http-chat';

type Serve = (handle: (request: Request) => Promise<Response>) => Promise<number> | number;

/** What a platform calls with a request, and what it says of the connection. */
interface Platforms {
  readonly Bun?: {
    serve(options: {
      port: number;
      hostname: string;
      idleTimeout: number;
      fetch: (
        request: Request,
        server: { requestIP(request: Request): { address: string } | null },
      ) => Promise<Response>;
    }): { port: number };
  };
  readonly Deno?: {
    serve(
      options: { port: number; hostname: string; onListen: () => void },
      handle: (request: Request, facts: { remoteAddr: { hostname: string } }) => Promise<Response>,
    ): { addr: { port: number } };
  };
}

const encoder = new TextEncoder();
let cancelled = 0;

/** Three pieces, and then nothing until the reader goes away. */
function turn(): ReadableStream<Uint8Array> {
  let piece = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        piece += 1;
        if (piece > 3) await new Promise(() => {});
        controller.enqueue(encoder.encode(`data: ${piece}\n\n`));
      },
      cancel() {
        cancelled += 1;
      },
    },
    { highWaterMark: 0 },
  );
}

const stream = { headers: { 'content-type': 'text/event-stream' }, body: turn };
const parts: Pick<ChatHandlerOptions, 'sessions' | 'history' | 'approvals'> = {
  sessions: {
    start: async () => ({ kind: 'accepted', stream: { ...stream, body: turn() } }),
    stream: async () => undefined,
    interrupt: async () => cancelled > 0,
    restart: async () => false,
    discard: async () => false,
    list: async () => [],
    delete: async () => false,
  },
  history: { messages: async () => undefined },
  approvals: { settle: async () => ({ kind: 'unknown' }) },
};
const { handle } = createChatHandler({ ...parts, onError: (error) => console.error(error) });

const node: Serve = () => {
  const server = createServer(toNodeListener(handle));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
};

const { Bun, Deno } = globalThis as Platforms; // the runtime says by these which it is
const own: Serve = () => {
  if (Bun !== undefined)
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: (request, server) => handle(request, { peer: server.requestIP(request)?.address }),
    }).port;
  if (Deno !== undefined)
    return Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => {} }, (request, { remoteAddr }) =>
      handle(request, { peer: remoteAddr.hostname }),
    ).addr.port;
  throw new Error('This runtime has no server of its own.');
};

console.log(await (process.argv[2] === 'own' ? own : node)(handle));

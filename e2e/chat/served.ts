// Serves a chat with a handler of web requests, on whichever runtime runs it, and prints where.
import { createServer } from 'node:http';
import process from 'node:process';
import { createChatHandler, toNodeListener, type ChatHandlerOptions } from '@hexagent/http-chat';
import { onBun, onDeno, type BunRuntime, type DenoRuntime } from '../../examples/chat/other-servers.ts';

type Serve = (handle: (request: Request) => Promise<Response>) => Promise<number> | number;

interface Platforms {
  readonly Bun?: BunRuntime;
  readonly Deno?: DenoRuntime;
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
    rename: async () => false,
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
  if (Bun !== undefined) return onBun(Bun, handle);
  if (Deno !== undefined) return onDeno(Deno, handle);
  throw new Error('This runtime has no server of its own.');
};

console.log(await (process.argv[2] === 'own' ? own : node)(handle));

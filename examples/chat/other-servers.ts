import type { Handle } from './serve.ts';

/*
 * The handler behind servers other than that of Node: a request goes in, a response comes out. Of each platform only what is
 * used here is typed. `e2e/chat/chat-servers.test.ts` runs them.
 */

export interface HonoApp {
  all(path: string, answer: (context: { readonly req: { readonly raw: Request } }) => Promise<Response>): unknown;
}

export function onHono(app: HonoApp, handle: Handle): void {
  app.all('/api/*', ({ req }) => handle(req.raw));
}

export interface BunRuntime {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    readonly fetch: (
      request: Request,
      server: { requestIP(request: Request): { readonly address: string } | null },
    ) => Promise<Response>;
  }): { readonly port: number };
}

/** Returns the port. */
export function onBun(bun: BunRuntime, handle: Handle, port = 0): number {
  return bun.serve({
    port,
    hostname: '127.0.0.1',
    // Otherwise Bun closes a stream that is silent for ten seconds, as while a person thinks about an approval.
    idleTimeout: 0,
    // A connection that was closed meanwhile has no address any more, and could be anybody's.
    fetch: (request, server) => handle(request, { peer: server.requestIP(request)?.address ?? '' }),
  }).port;
}

export interface DenoRuntime {
  serve(
    options: { readonly port: number; readonly hostname: string; readonly onListen: () => void },
    answer: (request: Request, facts: { readonly remoteAddr: { readonly hostname: string } }) => Promise<Response>,
  ): { readonly addr: { readonly port: number } };
}

/** Returns the port. */
export function onDeno(deno: DenoRuntime, handle: Handle, port = 0): number {
  const options = { port, hostname: '127.0.0.1', onListen: () => {} };
  return deno.serve(options, (request, { remoteAddr }) => handle(request, { peer: remoteAddr.hostname })).addr.port;
}

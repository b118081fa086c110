import { notify } from '@hexagent/async';
import { callable, hasCode, kindOf } from '@hexagent/checks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestFacts } from './access.ts';

type Handle = (request: Request, facts: RequestFacts) => Promise<Response>;

export interface NodeListenerOptions {
  /** Receives the errors of a connection, such as a source of bytes that broke off. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A handler of `Request`s as a listener of `node:http`: `createServer(toNodeListener(chat.handle))`. A connection that
 * closes aborts the request's signal and cancels the body of the response; a slow one is never sent more than it takes.
 * @throws {TypeError} for anything but a function, such as the chat itself.
 */
export function toNodeListener(
  handle: Handle,
  { onError = () => {} }: NodeListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  if (typeof handle !== 'function')
    throw new TypeError(`toNodeListener() takes a function, such as \`chat.handle\`, not ${kindOf(handle)}.`);
  callable()(onError, 'onError');
  return (incoming, outgoing) => {
    serve(handle, incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      notify(() => onError(error));
    });
  };
}

async function serve(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const closing = new AbortController();
  // Comes after every response. A response that has ended has nothing left to abort.
  outgoing.once('close', () => closing.abort());
  const response = await answer(handle, incoming, closing.signal);
  // What is left of a body that was not read would be taken for the next request of this connection.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  if (response.body === null) outgoing.end();
  else await send(response.body, outgoing);
}

async function answer(handle: Handle, incoming: IncomingMessage, signal: AbortSignal): Promise<Response> {
  const request = toRequest(incoming, signal);
  if (request === undefined) return refused(400, 'BAD_REQUEST', 'The request has no valid address.');
  if (request.body !== null && incoming.readableDidRead)
    return refused(
      500,
      'FAILED',
      'The body was read before the request came here: put this listener before what parses bodies, such as express.json().',
    );
  return await handle(request, { peer: peerOf(incoming) });
}

const refused = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status });

/**
 * `undefined` for a connection that has no addresses, such as a pipe. One that was reset while its request waited has lost that of
 * the other end, and could be from any host.
 */
function peerOf({ socket }: IncomingMessage): string | undefined {
  const { remoteAddress, localAddress, destroyed } = socket;
  return remoteAddress ?? (localAddress === undefined && !destroyed ? undefined : '');
}

/** `undefined` for what a browser never sends: an invalid address, or an invalid host. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers } = incoming;
  const address = `http://${headers.host ?? 'localhost'}${url}`;
  if (!url.startsWith('/') || !URL.canParse(address)) return undefined;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(address, {
      method,
      headers: toHeaders(incoming),
      signal,
      ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
    });
  } catch {
    return undefined; // a method or a header that `Request` does not accept
  }
}

function toHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  // Before the first bytes: a browser shows then that the turn has begun.
  outgoing.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(body, { highWaterMark: 1 }), outgoing);
  } catch (error) {
    // The page has gone, which is not a failure.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}

/** The body of a request, read on demand: what is not read stays in the connection. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else if (value instanceof Uint8Array) controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

import type { Ending } from './link.ts';
import type { HttpFetch, HttpServer } from './server-options.ts';
import { limited, watchEvents, type LastWord, type StreamEnd } from './event-stream.ts';
import { exchanges, type Exchange } from './exchange.ts';
import { networkText } from './http-failure.ts';
import type { Secrets } from './secrets.ts';
import type { SignIn } from './sign-in.ts';
import { withoutTimeouts } from './without-timeouts.ts';

export interface FetchGuard {
  readonly server: HttpServer;
  readonly secrets: Secrets;
  /** The method of the notifications by which the guard reports in the order of the stream. It is random, so that no server can send it. */
  readonly marker: string;
  readonly signIn: SignIn | undefined;
  readonly onUnanswered: (id: number, why: Ending) => void;
  /** Bounds what a server that issues tokens may take: every call that was refused waits for it. */
  readonly signInLimit: () => { readonly signal: AbortSignal; readonly cancel: () => void };
  /** Waits so that a server whose streams end at once is not asked at once again. */
  readonly pace: () => Promise<void>;
}

/** How often a stream is continued in vain before its request is given up. */
export const maxResumptions = 3;
/** Enough for the text of an error; a page of HTML is cut off. */
const maxErrorBytes = 16 * 1024;
const maxErrorMs = 1000;

/**
 * The way of the MCP SDK to the network. It keeps the program's headers from other origins, follows no redirect by
 * itself, bounds what is read, and ends every request: the SDK waits for ever for an answer that a stream
 * ended without.
 */
export function guardFetch(guard: FetchGuard): HttpFetch {
  const { server } = guard;
  const { origin } = new URL(server.url);
  const send = server.fetch ?? withoutTimeouts;
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if (new URL(url).origin === origin) addMissing(headers, server.headers);
    const request: HttpRequest = {
      headers,
      send: (more) => send(url, { ...init, headers, redirect: 'manual', ...more }),
    };
    // What signs in is not stopped with the call for which it does: a refresh token may be used only once.
    const exchange = isOfProtocol(headers) ? exchanges.getStore() : undefined;
    // Only what signs in comes without a signal of the transport.
    if (init.signal === undefined) return await getToken(request, guard);
    if (isForEvents(init, headers)) return await openStream(request, exchange, guard);
    return await ask(request, exchange, guard);
  };
}

interface HttpRequest {
  readonly headers: Headers;
  readonly send: (more?: RequestInit) => Promise<Response>;
}

async function getToken({ send }: HttpRequest, guard: FetchGuard): Promise<Response> {
  const { signal, cancel } = guard.signInLimit();
  try {
    const response = await send({ signal });
    // Read here, since a body may take as long as it likes as well.
    return withBody(response, response.body === null ? null : await new Response(limited(response.body)).arrayBuffer());
  } finally {
    cancel();
  }
}

async function ask(
  { headers, send }: HttpRequest,
  exchange: Exchange | undefined,
  guard: FetchGuard,
): Promise<Response> {
  const more = exchange?.id === undefined ? {} : { signal: exchange.signal };
  let response = await send(more);
  if (response.status === 401 && exchange !== undefined && guard.signIn !== undefined) {
    const authorization = await guard.signIn.enter(exchange, headers.get('authorization'));
    if (authorization !== undefined) {
      guard.signIn.leave(exchange);
      await response.body?.cancel();
      headers.set('authorization', authorization);
      response = await send(more);
      if (response.status === 401) await guard.signIn.enter(exchange, authorization);
    }
  }
  const { body } = response;
  if (body === null) return response;
  if (!response.ok) return withBody(response, await firstBytes(body));
  if (exchange?.id === undefined || !isEvents(response)) return withBody(response, limited(body));
  exchange.isStreamed = true;
  return watched(response, exchange, guard);
}

async function openStream(request: HttpRequest, exchange: Exchange | undefined, guard: FetchGuard): Promise<Response> {
  if (exchange?.signal.aborted === true) return notOffered();
  await guard.pace();
  if (exchange?.id !== undefined) return await resume(request, exchange, guard);
  const response = await request.send();
  const { server, secrets, marker } = guard;
  if (response.status === 401 && guard.signIn !== undefined && server.type !== 'sse') {
    await response.body?.cancel();
    // The next request signs in, as one of many; the stream is asked for again.
    throw new Error('the token has expired');
  }
  if (!response.ok || response.body === null) return response;
  if (!isEvents(response)) return server.type === 'sse' ? response : notOffered();
  if (server.type !== 'sse') return response;
  // The older way has one stream for all answers: without it, nothing can be asked.
  const onEnd = ({ error }: StreamEnd): LastWord => ({
    event: { jsonrpc: '2.0', method: marker, params: { why: whyBroken(error, secrets) } },
  });
  return withBody(response, watchEvents(response.body, { onEnd }));
}

/** The stream of a request that is not answered yet, continued. */
async function resume({ headers, send }: HttpRequest, exchange: Exchange, guard: FetchGuard): Promise<Response> {
  // Without an id, the server cannot determine which stream is meant.
  const mayContinue = headers.has('last-event-id');
  try {
    if (!mayContinue) throw new Error('its stream could not be continued');
    const response = await send({ signal: exchange.signal });
    if (!response.ok || !isEvents(response)) {
      await response.body?.cancel();
      throw new Error(`its stream could not be continued (HTTP ${response.status})`);
    }
    exchange.failures = 0;
    return watched(response, exchange, guard);
  } catch (error) {
    exchange.failures += 1;
    if (mayContinue && exchange.failures < maxResumptions && !exchange.signal.aborted) throw error;
    if (exchange.id !== undefined) guard.onUnanswered(exchange.id, { why: whyBroken(error, guard.secrets) });
    return notOffered();
  }
}

function watched(response: Response, exchange: Exchange, { marker, secrets }: FetchGuard): Response {
  const { body } = response;
  if (body === null) return response;
  const onEnd = ({ isResumable, error }: StreamEnd): LastWord => {
    if (isResumable) return error === undefined ? undefined : { error };
    return { event: { jsonrpc: '2.0', method: marker, params: { id: exchange.id, why: whyBroken(error, secrets) } } };
  };
  return withBody(response, watchEvents(body, { signal: exchange.signal, onEnd }));
}

const whyBroken = (error: unknown, secrets: Secrets): string =>
  error === undefined ? 'closed the connection before it answered.' : `did not answer: ${networkText(error, secrets)}.`;

/** A response that the SDK takes for an answer without content. */
const notOffered = (): Response => new Response(null, { status: 405 });

function withBody(response: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const { status, statusText, headers } = response;
  // A status that has no body may not be given one.
  return [204, 205, 304].includes(status) ? response : new Response(body, { status, statusText, headers });
}

/** The beginning of the page that came with an error, as far as it arrives soon. */
async function firstBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), maxErrorMs);
  const chunks: Uint8Array[] = [];
  try {
    for (let length = 0; length < maxErrorBytes;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch {
    // The status is what counts, and it has arrived.
  }
  clearTimeout(timer);
  void reader.cancel().catch(() => {});
  return new Uint8Array(Buffer.concat(chunks).subarray(0, maxErrorBytes));
}

/** The headers of the MCP SDK take precedence, since the protocol requires them. */
function addMissing(headers: Headers, own: HttpServer['headers'] = {}): void {
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value);
}

const isForEvents = ({ method = 'GET' }: RequestInit, headers: Headers): boolean =>
  method === 'GET' && isOfProtocol(headers);

/** The requests by which the SDK signs in ask for no events. */
const isOfProtocol = (headers: Headers): boolean => /text\/event-stream/.test(headers.get('accept') ?? '');

const isEvents = (response: Response): boolean =>
  /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');

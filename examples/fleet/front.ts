import type { Handle } from '../chat/serve.ts';
import type { Member } from './members.ts';
import type { Workers } from './workers.ts';

/** The one address before the gateways, as a load balancer is: each request goes to the next gateway. */
export function frontOf(gateways: readonly Member[], workers: Workers): Handle {
  let turn = 0;
  return async (request) => {
    if (!isOwn(request)) return refusal(403, 'This address answers its own page on this machine only.');
    const url = new URL(request.url);
    const [, , room, name = '', action] = url.pathname.split('/');
    if (room === 'workers') return await answerPanel(workers, { method: request.method, name, action });
    const running = gateways.filter((gateway) => gateway.isRunning);
    const gateway = running[(turn += 1) % running.length];
    if (gateway === undefined) return refusal(502, 'No gateway runs.');
    return await pass(request, `${gateway.address}${url.pathname}${url.search}`);
  };
}

/** A page of another site, or of another name for this machine, may neither read nor do anything. */
function isOwn(request: Request): boolean {
  const { host, hostname } = new URL(request.url);
  const origin = request.headers.get('origin');
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (origin === null) return isHere && request.headers.get('sec-fetch-site') !== 'cross-site';
  return isHere && origin === `http://${host}`;
}

interface PanelCall {
  readonly method: string;
  readonly name: string;
  readonly action: string | undefined;
}

async function answerPanel(workers: Workers, { method, name, action }: PanelCall): Promise<Response> {
  if (method === 'GET' && name === '') return Response.json({ workers: await workers.list() });
  if (method !== 'POST') return refusal(405, 'This address takes GET and POST.');
  if (name === '')
    return (await workers.start()) ? new Response(null, { status: 204 }) : refusal(409, 'There are enough workers.');
  if (action !== 'kill' && action !== 'drain') return refusal(404, 'There is nothing at this address.');
  return workers.act(name, action) ? new Response(null, { status: 204 }) : refusal(404, `${name} does not run.`);
}

/** They are about one connection, or were checked here. */
const ownHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'host', 'origin'];

async function pass({ method, headers, body, signal }: Request, url: string): Promise<Response> {
  try {
    const init = { method, headers: without(headers), signal, ...(body !== null && { body, duplex: 'half' as const }) };
    const answer = await fetch(url, init);
    return new Response(answer.body, { status: answer.status, headers: without(answer.headers) });
  } catch {
    return refusal(502, 'The gateway has gone.');
  }
}

function without(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ownHeaders) kept.delete(name);
  return kept;
}

const refusal = (status: number, message: string): Response =>
  Response.json({ error: { code: 'REFUSED', message } }, { status });

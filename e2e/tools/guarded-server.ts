import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server that refuses every request without a token, and issues the tokens itself. */
export interface GuardedServer extends AsyncDisposable {
  readonly url: string;
  /** The code that a person comes back with. */
  readonly code: string;
}

const [code, token] = ['made-up-code', 'made-up-token'];

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function guardedServer(): Promise<GuardedServer> {
  const server = createServer((request, response) => {
    const json = (value: unknown, status = 200): unknown =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const answer = async (): Promise<unknown> => {
      const body = await bodyOf(request);
      const { pathname } = new URL(request.url ?? '', origin());
      if (pathname === '/.well-known/oauth-protected-resource/mcp')
        return json({ resource: `${origin()}/mcp`, authorization_servers: [origin()] });
      if (pathname === '/.well-known/oauth-authorization-server') return json(metadata());
      if (pathname === '/register') return json({ ...JSON.parse(body), client_id: 'made-up-client' }, 201);
      if (pathname === '/token')
        return new URLSearchParams(body).get('code') === code
          ? json({ access_token: token, token_type: 'Bearer', expires_in: 3600 })
          : json({ error: 'invalid_grant' }, 400);
      if (pathname !== '/mcp') return response.writeHead(404).end();
      if (request.headers.authorization === `Bearer ${token}`) return serve(request, body);
      const challenge = `Bearer resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    };
    const serve = ({ method }: IncomingMessage, body: string): unknown => {
      if (method !== 'POST') return response.writeHead(405).end();
      const { id, method: asked, params } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      if (asked === 'initialize') return json({ jsonrpc: '2.0', id, result: introduction(params.protocolVersion) });
      if (asked === 'tools/list') return json({ jsonrpc: '2.0', id, result: { tools: [secret] } });
      if (asked === 'tools/call')
        return json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'come in' }] } });
      return json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } });
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const origin = (): string => `http://127.0.0.1:${port}`;
  const metadata = (): object => ({
    issuer: origin(),
    authorization_endpoint: `${origin()}/authorize`,
    token_endpoint: `${origin()}/token`,
    registration_endpoint: `${origin()}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  return {
    url: `${origin()}/mcp`,
    code,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const secret = { name: 'secret', inputSchema: { type: 'object' } };

const introduction = (protocolVersion: unknown): object => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'guarded', version: '1' },
});

/** Where the person is sent back to from the page, with the code. */
export function returnAddress(authUrl: string, code: string): string {
  const { searchParams } = new URL(authUrl);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', searchParams.get('state') ?? '');
  return back.href;
}

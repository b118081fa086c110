import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { json, notesHandler, startWeb, type Handler, type Web } from './web.ts';

/** A server that requires tokens, and the authorisation server of another origin that issues them. */
export interface Guarded extends AsyncDisposable {
  readonly notes: Web;
  readonly issuer: Web;
  /** The grants that were asked for, in order. */
  readonly grants: string[];
  /** Ends the streams on which the server reports. */
  cutStreams(): void;
  /** Tokens that were issued until now are refused from now on. */
  expire(): void;
  /** What the code of a person is bound to: a browser would take it from the page. */
  readonly challenges: string[];
  /** So are the tokens to refresh them. */
  revoke(): void;
}

export const code = 'made-up-code';

export async function startGuarded(): Promise<Guarded> {
  const grants: string[] = [];
  let count = 0;
  let accepted = '';
  let refresh = '';
  const challenges: string[] = [];
  const issue = (): OAuthTokens => {
    count += 1;
    [accepted, refresh] = [`made-up-access-${count}`, `made-up-refresh-${count}`];
    return { access_token: accepted, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 };
  };
  const token = async (form: URLSearchParams): Promise<OAuthTokens | undefined> => {
    const grant = String(form.get('grant_type'));
    grants.push(grant);
    const verifier = createHash('sha256')
      .update(String(form.get('code_verifier')))
      .digest('base64url');
    if (grant === 'authorization_code' && form.get('code') === code && challenges.includes(verifier)) return issue();
    // A token to refresh with can be used once.
    if (grant === 'refresh_token' && form.get('refresh_token') === refresh) return issue();
    return undefined;
  };
  const issuer = await startWeb(async (request, response) => {
    const { origin } = new URL(issuer.url);
    const { pathname } = new URL(request.url ?? '', origin);
    if (pathname === '/.well-known/oauth-authorization-server')
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (pathname === '/register')
      return json(response, { ...(JSON.parse(body) as object), client_id: 'hexagent-test' });
    if (pathname !== '/token') return response.writeHead(404).end();
    const tokens = await token(new URLSearchParams(body));
    if (tokens !== undefined) return json(response, tokens);
    return response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  });
  const handler = notesHandler();
  const streams: ServerResponse[] = [];
  const guard: Handler = (request, response) => {
    const { origin } = new URL(notes.url);
    const metadata = `${origin}/metadata`;
    if (request.url === '/metadata')
      return json(response, { resource: notes.url, authorization_servers: [new URL(issuer.url).origin] });
    if (request.headers.authorization === `Bearer ${accepted}`) {
      if (request.method === 'GET') streams.push(response);
      return handler(request, response);
    }
    return response
      .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
      .end('Who are you?');
  };
  const notes = await startWeb(guard);
  return {
    notes,
    issuer,
    grants,
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    expire: () => (accepted = ''),
    revoke: () => ([accepted, refresh] = ['', '']),
    async [Symbol.asyncDispose]() {
      await notes.stop();
      await issuer.stop();
    },
    challenges,
  };
}

/** A provider that keeps everything in memory; a person's browser is a list of pages. */
export class MemoryProvider implements OAuthClientProvider {
  readonly pages: URL[] = [];
  readonly redirectUrl = 'http://127.0.0.1:9/callback';
  readonly clientMetadata: OAuthClientProvider['clientMetadata'] = {
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'Hexagent test',
  };
  readonly #challenges: string[];
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(guarded: Guarded) {
    this.#challenges = guarded.challenges;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.pages.push(page);
    this.#challenges.push(String(page.searchParams.get('code_challenge')));
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(scope: string): void {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined;
    if (scope === 'all' || scope === 'client') this.#client = undefined;
  }
}

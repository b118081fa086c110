import type { ChatCaller } from '@hexagent/ports';
import { isName, isRecord, kindOf, shown } from '@hexagent/checks';
import { isLoopbackAddress, isLoopbackHost, toHostAndPort, type HostAndPort } from './loopback.ts';
import { Refusal } from './refusal.ts';
import { bearerToken, isSameSecret } from './token.ts';

/** The callers that are answered. */
export interface AccessOptions {
  /**
   * What the server is called besides `localhost`: `chat.example.com`, or with a port. Without any, only programs of the
   * machine itself are answered. With one, `token` or `identify` is needed.
   */
  readonly hosts?: readonly string[];
  /** Other origins whose pages may call, such as `https://app.example.com`. The server's own always may. */
  readonly origins?: readonly string[];
  /** What callers send as `authorization: Bearer …`; at least 16 characters. */
  readonly token?: string;
  /** Instead of `token`, your own sign-in: returns the caller, or `undefined` for a request without a sign-in. */
  readonly identify?: (request: Request) => Promise<ChatCaller | undefined> | ChatCaller | undefined;
}

/** Facts about the connection that the request does not have. */
export interface RequestFacts {
  /**
   * The address at the other end, such as `127.0.0.1`. Checked if it is set: pass an empty text where a connection has one that is not
   * known any more, as after it was reset. Such a peer is not on this machine.
   */
  readonly peer?: string | undefined;
}

/** Decides whether a request may be made at all, before anything of its body is read. */
export class Access {
  readonly #hosts: readonly HostAndPort[];
  readonly #origins: ReadonlySet<string>;
  readonly #token: string | undefined;
  readonly #identify: AccessOptions['identify'];

  /** @throws {TypeError} for options with which every host could call. */
  constructor({ hosts = [], origins = [], token, identify }: AccessOptions) {
    for (const [name, list] of Object.entries({ hosts, origins }))
      if (!Array.isArray(list)) throw new TypeError(`\`${name}\` must be a list, not ${kindOf(list)}.`);
    if (token !== undefined && (typeof token !== 'string' || token.length < 16 || /\s/.test(token)))
      throw new TypeError(
        '`token` must be at least 16 characters without spaces: it guards a program that runs commands.',
      );
    if (identify !== undefined && typeof identify !== 'function')
      throw new TypeError(`\`identify\` must be a function that takes a Request, not ${kindOf(identify)}.`);
    if (token !== undefined && identify !== undefined) throw new TypeError('Pass `token` or `identify`, not both.');
    if (hosts.length > 0 && token === undefined && identify === undefined)
      throw new TypeError('With `hosts`, others reach this server: pass `token` or `identify` too.');
    this.#hosts = hosts.map((host) => toHostAndPort(host) ?? refuse('hosts', host));
    this.#origins = new Set(origins.map((origin) => toOrigin(origin) ?? refuse('origins', origin)));
    this.#token = token;
    this.#identify = identify;
  }

  /** @throws {Refusal} when its host, origin or address is not allowed. */
  checkPlace(request: Request, { peer }: RequestFacts): void {
    if (peer !== undefined && this.#hosts.length === 0 && !isLoopbackAddress(peer))
      throw new Refusal('PEER_REFUSED', 'This server answers programs of its own machine only.');
    const host = hostOf(request);
    if (host === undefined || !(isLoopbackHost(host.host) || this.#hosts.some((each) => isSameHost(each, host))))
      throw new Refusal('HOST_REFUSED', 'This server does not go by that name.');
    if (!this.#isOriginAllowed(request, host))
      throw new Refusal('ORIGIN_REFUSED', 'Pages of that origin may not call this server.');
  }

  /** @throws {Refusal} when the caller cannot be identified. */
  async identify(request: Request): Promise<ChatCaller> {
    if (this.#identify !== undefined) {
      const caller = toCaller(await this.#identify(request));
      if (caller !== undefined) return caller;
      throw new Refusal('UNAUTHENTICATED', 'This server requires a caller that is signed in to its application.');
    } else if (this.#token === undefined) {
      return { name: 'local' };
    } else {
      const given = bearerToken(request.headers);
      if (given !== undefined && (await isSameSecret(given, this.#token))) return { name: 'token' };
    }
    throw new Refusal('UNAUTHENTICATED', 'This server requires its token, sent as `authorization: Bearer …`.', {
      'www-authenticate': 'Bearer',
    });
  }

  /** The headers by which a page of another allowed origin may read a response. */
  corsHeaders(request: Request): Readonly<Record<string, string>> {
    const origin = request.headers.get('origin');
    if (origin === null || !this.#origins.has(origin)) return {};
    return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'origin' };
  }

  #isOriginAllowed(request: Request, host: HostAndPort): boolean {
    const origin = request.headers.get('origin');
    // Programs other than browsers send none. A browser leaves it out too, for some requests of other sites: those have this.
    if (origin === null) return request.headers.get('sec-fetch-site') !== 'cross-site';
    if (this.#origins.has(origin)) return true;
    const from = toUrl(origin);
    if (from === undefined || (from.protocol !== 'http:' && from.protocol !== 'https:')) return false;
    // Behind a proxy the request may be http although the page is https, so the scheme is the page's.
    return from.host === toUrl(`${from.protocol}//${host.host}${host.port === '' ? '' : `:${host.port}`}`)?.host;
  }
}

/**
 * A sign-in is code of the program, and may be written without types. Anything but a caller is an error: it must not become a caller without a tenant.
 * @throws {TypeError} for a value that is not a caller or `undefined`.
 */
function toCaller(value: unknown): ChatCaller | undefined {
  if (value === undefined || value === null) return undefined;
  const { name, tenant }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  if (!isName(name) || !(tenant === undefined || isName(tenant)))
    throw new TypeError(
      '`identify` must return `{ name, tenant }`, well-formed texts that are not empty, of which `tenant` may be left out, or `undefined` for no one.',
    );
  return { name, ...(tenant !== undefined && { tenant }) };
}

function hostOf(request: Request): HostAndPort | undefined {
  return toHostAndPort(request.headers.get('host') ?? toUrl(request.url)?.host ?? '');
}

function isSameHost(allowed: HostAndPort, host: HostAndPort): boolean {
  return allowed.host === host.host && (allowed.port === '' || allowed.port === host.port);
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function toOrigin(text: string): string | undefined {
  const url = typeof text === 'string' ? toUrl(text) : undefined;
  return url === undefined || url.origin === 'null' || url.pathname !== '/' || url.search !== ''
    ? undefined
    : url.origin;
}

function refuse(option: string, value: unknown): never {
  throw new TypeError(`\`${option}\` has ${shown(value)}, which is not one.`);
}

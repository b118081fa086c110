import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Named anew for each start, so that an address of yesterday opens nothing. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Whether a request comes from this machine's own browser or a program of it, and from no page of another site. The server listens
 * on the loopback interface only; the name keeps away pages whose own name was pointed there, whatever port a tunnel has.
 */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isNamed = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host);
  const isOwnPage = origin === undefined || origin === `http://${host}`;
  return isNamed && isOwnPage && (site === undefined || site === 'same-origin' || site === 'none');
}

/** Compared as digests, so that the time it takes depends on nothing. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const [, given] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Nothing from elsewhere, nothing that is not a file of the page, and no frame around it. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

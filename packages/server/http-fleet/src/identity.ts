import { membersOf, text } from '@hexagent/checks';
import { constants, hkdfSync } from 'node:crypto';
import { createSecureContext, type TlsOptions } from 'node:tls';

/**
 * How the processes of a fleet know each other: by a key that all of them share, of at least 32 random characters or bytes, or by
 * certificates of an authority that certifies nothing but this fleet. Certificates, keys and authorities are PEM texts.
 */
export type FleetIdentity =
  | { readonly key: string | Uint8Array }
  | { readonly certificate: string; readonly privateKey: string; readonly authority: string };

/** The options of TLS for both ends. */
export interface FleetTls {
  readonly server: TlsOptions;
  readonly client: ClientTls;
}

type ClientTls = Readonly<Record<string, unknown>>;

// A handshake that takes a session up again would skip what proves the identity; one in the middle of a connection has no use.
const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;
// Each process with a certificate of the authority may take any place in the fleet, so the name in it says nothing.
const anyName = (): undefined => undefined;

/** @throws {TypeError} for anything but an identity. The message has nothing secret in it. */
export function toTls(identity: FleetIdentity): FleetTls {
  const members = new Map(membersOf(identity, 'identity'));
  const names = [...members.keys()].toSorted().join();
  if (names === 'key') return byKey(members.get('key'));
  if (names === 'authority,certificate,privateKey') return byCertificate(members);
  throw new TypeError('`identity` must be { key }, or { certificate, privateKey, authority }, with nothing else.');
}

/**
 * TLS 1.2, because its suites with a shared key know no certificates: a client of TLS 1.3 would also take a server that shows a certificate
 * in place of the key. The suites have forward secrecy: who learns the key later cannot read what was recorded.
 */
function byKey(key: unknown): FleetTls {
  const isKey = typeof key === 'string' || key instanceof Uint8Array;
  if (!isKey || key.length < 32)
    throw new TypeError('`identity.key` must have at least 32 characters or bytes, such as randomBytes(32) makes.');
  const psk = new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), 'hexagent http-fleet 1', 32));
  const shared = {
    ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
    secureOptions,
  } as const;
  const called = 'hexagent';
  return {
    server: { ...shared, pskCallback: (_, identity) => (identity === called ? psk : null) },
    client: { ...shared, pskCallback: () => ({ psk, identity: called }), checkServerIdentity: anyName },
  };
}

function byCertificate(members: ReadonlyMap<string, unknown>): FleetTls {
  const pem = (name: string, kind: string): string =>
    text(`a ${kind} in PEM`, new RegExp(`-----BEGIN [A-Z ]*${kind}-----`))(members.get(name), `identity.${name}`);
  const shared = {
    cert: pem('certificate', 'CERTIFICATE'),
    key: pem('privateKey', 'PRIVATE KEY'),
    // Never without it: Node would take every certificate that a public authority has signed.
    ca: pem('authority', 'CERTIFICATE'),
    minVersion: 'TLSv1.3',
    secureOptions,
    rejectUnauthorized: true,
  } as const;
  try {
    createSecureContext(shared);
  } catch (cause) {
    throw new TypeError('`identity` cannot be used: the certificate, its key or the authority is broken.', { cause });
  }
  return { server: { ...shared, requestCert: true }, client: { ...shared, checkServerIdentity: anyName } };
}

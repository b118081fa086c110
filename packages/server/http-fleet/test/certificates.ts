import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { FleetIdentity } from '../src/index.ts';

/*
 * Certificates made on the spot, so that no key lies in the repository and none expires: X.509 in DER, as far as TLS needs it.
 */

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const object = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(name)))));
const byEcdsa = sequence(object('2a8648ce3d040302')); // with SHA-256
// May sign others: `CA: true`, critical.
const isAuthority = sequence(
  object('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

interface Signer {
  readonly name: string;
  readonly key: KeyObject;
}

let serial = 1;

function certificate(
  subject: string,
  key: KeyObject,
  { by, days = 1, extensions = [] }: { by: Signer; days?: number; extensions?: readonly Buffer[] },
): string {
  const [from, until] = [Date.now() - 2 * 86_400_000, Date.now() + days * 86_400_000];
  serial += 1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    byEcdsa,
    nameOf(by.name),
    sequence(utcTime(new Date(from)), utcTime(new Date(until))),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, by.key));
  const text = sequence(body, byEcdsa, signature).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}

const newKey = (): KeyObject =>
  createPrivateKey(
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );

export interface Authority {
  /** A process that it certifies. With a negative number of days the certificate has expired. */
  identity(name: string, days?: number): Extract<FleetIdentity, { certificate: string }>;
}

export function authority(name: string): Authority {
  const key = newKey();
  const by = { name, key };
  const own = certificate(name, createPublicKey(key), { by, extensions: [isAuthority] });
  return {
    identity(subject, days = 1) {
      const privateKey = newKey();
      return {
        certificate: certificate(subject, createPublicKey(privateKey), { by, days }),
        privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
        authority: own,
      };
    },
  };
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectPlain, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { SdkError } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reachWorkers, serveWorker, type FleetIdentity } from '../src/index.ts';
import { authority } from './certificates.ts';
import { doorOf, fleet } from './fleet.ts';

const ada = { name: 'ada' };
const [ours, theirs] = [authority('ours'), authority('ours')];
const key = randomBytes(40).toString('base64');
const good = ours.identity('worker');

/** A worker whose door counts, and the outcome of one call to it. */
async function called(
  worker: FleetIdentity,
  gateway: FleetIdentity,
): Promise<{ error: unknown; calls: number; errors: unknown[] }> {
  let calls = 0;
  const states = async (): Promise<Record<string, never>> => ({ ...(calls++, {}) });
  const { door, errors, close } = await fleet({
    worker: { door: doorOf(new HandChats(), { states }), identity: worker },
    gateway: { identity: gateway },
  });
  const error: unknown = await door.states([], ada).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  await close();
  return { error, calls, errors };
}

describe('The identity of a fleet', () => {
  it.each<[string, FleetIdentity, FleetIdentity]>([
    ['another key', { key }, { key: `${key}x` }],
    ['certificates where the worker has a key', { key }, good],
    ['a key where the worker has certificates', good, { key }],
    ['a certificate of another authority of the same name', good, theirs.identity('gateway')],
    [
      'a foreign certificate, and the right authority',
      good,
      { ...theirs.identity('gateway'), authority: good.authority },
    ],
    ['a certificate that has expired', good, ours.identity('gateway', -1)],
    ['a worker whose certificate has expired', ours.identity('worker', -1), good],
    ['a worker with a foreign certificate', { ...theirs.identity('worker'), authority: good.authority }, good],
  ])('refuses %s', async (_, worker, gateway) => {
    const { error, calls, errors } = await called(worker, gateway);
    expect(error).toSatisfy(
      (each) => SdkError.is(each) && each.code === 'WORKER_UNREACHABLE' && each.cause instanceof Error,
    );
    expect(String(error)).toMatch(/address.*key.*certificates of the same authority/);
    expect(calls).toBe(0);
    for (const text of [error, ...errors].flatMap((each) => [String(each), String((each as Error).cause)])) {
      expect(text).not.toContain(key);
      expect(text).not.toContain('PRIVATE KEY');
    }
  });

  it.each<[string, FleetIdentity]>([
    ['a text', { key }],
    ['bytes', { key: randomBytes(32) }],
    ['certificates', good],
  ])('lets those in who have the same: %s', async (_, identity) => {
    expect(await called(identity, identity)).toEqual({ error: undefined, calls: 1, errors: [] });
  });

  it('reports who was refused, at most once in a second', async () => {
    const { address, errors, close } = await fleet();
    onTestFinished(close);
    const door = reachWorkers({ identity: { key } }).reach({ owner: 'one', address });
    for (const _ of [1, 2, 3]) await expect(door.states([], ada)).rejects.toThrow('was not reached');
    expect(errors.map(String)).toEqual([expect.stringMatching(/127\.0\.0\.1 was refused.*same key/)]);
  });

  it('speaks to no server without TLS, and answers no client without', async () => {
    let seen = '';
    const plain = createServer((incoming, outgoing) => outgoing.end(`{"value":${incoming.url?.length}}`));
    plain.on('clientError', (error, socket) => socket.destroy(error));
    plain.on('connection', (socket) => socket.on('data', (bytes) => (seen += bytes.toString('latin1'))));
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const { port } = plain.address() as AddressInfo;
    const gateway = reachWorkers({ identity: { key } });
    const call = gateway
      .reach({ owner: 'one', address: `https://127.0.0.1:${port}` })
      .sessions.rename('secret-id', 'secret title', ada);
    await expect(call).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    expect(seen).not.toContain('secret');
    plain.close();

    const { address, close } = await fleet();
    onTestFinished(close);
    const socket = connectPlain(Number(new URL(address).port), '127.0.0.1');
    socket.end('POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}');
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
    await once(socket, 'close');
    expect(answer).not.toContain('HTTP');
  });

  it.each([
    ['no identity at all', {}],
    ['an empty key', { pskCallback: () => ({ psk: Buffer.alloc(0), identity: 'hexagent' }), ciphers: 'PSK' }],
    ['a key of zeros', { pskCallback: () => ({ psk: Buffer.alloc(32), identity: 'hexagent' }), ciphers: 'PSK' }],
    ['a key under another name', { pskCallback: () => ({ psk: Buffer.alloc(32), identity: 'root' }), ciphers: 'PSK' }],
    [
      'suites without forward secrecy',
      { pskCallback: () => ({ psk: Buffer.alloc(32), identity: 'hexagent' }), ciphers: 'PSK-AES128-GCM-SHA256' },
    ],
    ['suites without encryption', { ciphers: 'NULL:eNULL:aNULL:@SECLEVEL=0' }],
  ])('lets in no client with %s', async (_, options) => {
    const { address, close } = await fleet();
    onTestFinished(close);
    const port = Number(new URL(address).port);
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2', ...options });
    let isIn = false;
    socket.once('secureConnect', () => (isIn = true)).on('error', () => {});
    await new Promise((resolve) => socket.once('close', resolve));
    expect(isIn).toBe(false);
  });

  it.each([
    undefined,
    {},
    { key: 'short' },
    { key: 'a'.repeat(31) },
    { key: new Uint8Array(31) },
    { key: 42 },
    { key, extra: true },
    { key, ...good },
    { ...good, authority: '' },
    { ...good, authority: undefined },
    { certificate: good.certificate, privateKey: good.privateKey },
    { ...good, privateKey: theirs.identity('other').privateKey },
    { ...good, certificate: '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----' },
  ])('is refused at the start where it is none (%#)', async (identity) => {
    const given = identity as FleetIdentity;
    expect(() => reachWorkers({ identity: given })).toThrow(TypeError);
    const served = serveWorker({
      door: doorOf(new HandChats()),
      address: 'https://127.0.0.1:0',
      identity: given,
      onError: () => {},
    });
    const error: unknown = await served.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toMatch(/PRIVATE KEY-|aaaa|short/);
  });
});

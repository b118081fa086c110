import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ChatDoor } from '@hexagent/ports';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reachWorkers } from '../src/index.ts';
import { toTls } from '../src/identity.ts';
import { identity } from './fleet.ts';

const ada = { name: 'ada' };
const message = { id: 'one', content: 'text' };

/** The door to a worker that has the identity of the fleet, and answers what it likes. */
async function lying(
  answer: (outgoing: ServerResponse) => void,
  ms = 20_000,
): Promise<ChatDoor & { readonly sockets: () => Promise<number>; close(): void }> {
  const server = createServer(
    toTls(identity).server,
    (incoming, outgoing) => void incoming.resume().once('end', () => answer(outgoing)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gateway = reachWorkers({ identity, limits: { answerMs: ms, startMs: ms, answerBytes: 100_000 } });
  onTestFinished(() => {
    gateway.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens at an IP
  const sockets = (): Promise<number> => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  return {
    close: () => gateway.close(),
    ...gateway.reach({ owner: 'liar', address: `https://127.0.0.1:${port}` }),
    sockets,
  };
}

const json =
  (value: unknown, status = 200) =>
  (outgoing: ServerResponse): void =>
    void outgoing
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof value === 'string' ? value : JSON.stringify(value));
const head =
  (value: unknown) =>
  (outgoing: ServerResponse): void =>
    void outgoing
      .writeHead(200, { 'hexagent-stream': Buffer.from(JSON.stringify(value)).toString('base64url') })
      .end('bytes');
const raw =
  (text: string) =>
  (outgoing: ServerResponse): void =>
    void outgoing.socket?.end(text);

const start = (door: ChatDoor): Promise<unknown> => door.sessions.start('chat', message, { steer: false }, ada);
const calls: readonly (readonly [string, (door: ChatDoor) => Promise<unknown>])[] = [
  ['start', start],
  ['stream', (door) => door.sessions.stream('chat', ada)],
  ['interrupt', (door) => door.sessions.interrupt('chat', ada)],
  ['list', (door) => door.sessions.list({ limit: 1, offset: 0 }, ada)],
  ['messages', (door) => door.history.messages('chat', { limit: 1 }, ada)],
  ['settle', (door) => door.approvals.settle('chat', 'id', { approved: true }, ada)],
  ['states', (door) => door.states(['a'], ada)],
];

/** Not an answer to any call. */
const garbage: readonly (readonly [string, (outgoing: ServerResponse) => void])[] = [
  ['nothing', json('')],
  ['no JSON', json('{"value":')],
  ['no object', json([])],
  ['another object', json({ value: { kind: 'unheard-of', a: 7 } })],
  ['a list of nonsense', json({ value: [1] })],
  ['a text', json({ value: 'true' })],
  ['a number', json({ value: 1 })],
  ['null', json({ value: null })],
  ['a member that is not known', json({ value: true, more: 1 })],
  ['a prototype', json('{"__proto__":{"value":true}}')],
  ['a kind from a prototype', json('{"value":{"kind":"constructor","a":"constructor"}}')],
  ['bytes that are no UTF-8', (outgoing) => void outgoing.end(Buffer.from([0x22, 0xff, 0x22]))],
  ['too much', json({ value: 'x'.repeat(200_000) })],
  ['too deep', json('['.repeat(50_000))],
  ['an error without a message', json({ error: {} }, 500)],
  ['an error that is none', json({ error: 'HOST_CLOSED' }, 500)],
  ['an error with more', json({ error: { message: 'm', stack: 's' } }, 500)],
  ['a page of another server', json('<html>', 502)],
  ['a redirect', (outgoing) => void outgoing.writeHead(307, { location: 'https://127.0.0.1:1/' }).end()],
  ['no such call', json({ error: { message: 'unknown' } }, 404)],
  ['no HTTP', raw('hello\r\n\r\n')],
  ['a header without end', raw(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)],
  ['half a body', raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')],
  ['two lengths', raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}')],
  ['a head that is no JSON', (outgoing) => void outgoing.writeHead(200, { 'hexagent-stream': '!!' }).end()],
  ['a head without headers', head({ value: { kind: 'accepted' } })],
  ['a head of another kind', head({ value: { kind: 'settled' }, headers: {} })],
  ['a cookie', head({ value: { kind: 'accepted' }, headers: { 'set-cookie': 'a=b' } })],
  ['a header in a header', head({ value: { kind: 'accepted' }, headers: { 'content-type': 'a\r\nset-cookie: b' } })],
  ['a header that is no text', head({ value: { kind: 'accepted' }, headers: { 'content-type': 7 } })],
  [
    'a head that is too long',
    head({
      value: { kind: 'accepted' },
      headers: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x-${at}`, 'x'.repeat(200)])),
    }),
  ],
  ['nothing, and leaves', (outgoing) => void outgoing.destroy()],
];

describe('A worker that lies', () => {
  it.each(garbage)('is unreachable where it answers %s', async (_, answer) => {
    const door = await lying(answer);
    for (const [, call] of calls)
      await expect(call(door)).rejects.toMatchObject({
        code: 'WORKER_UNREACHABLE',
        message: expect.stringContaining('worker liar (https://127.0.0.1:'),
      });
    door.close();
    await expect.poll(door.sockets).toBe(0);
    expect(({} as Record<string, unknown>)['value']).toBeUndefined();
  });

  it.each(calls)('is unreachable in time where it does not answer %s', async (_, call) => {
    const door = await lying(() => {}, 100);
    await expect(call(door)).rejects.toThrow('did not answer within 100 ms');
    await expect.poll(door.sockets).toBe(0);
  });

  it('is unreachable in time where its answer does not end', async () => {
    const door = await lying((outgoing) => {
      const timer = setInterval(() => outgoing.write(' '), 20);
      outgoing.once('close', () => clearInterval(timer));
    }, 100);
    await expect(door.states([], ada)).rejects.toThrow('did not answer within 100 ms');
    await expect.poll(door.sockets).toBe(0);
  });

  it.each([
    ['interrupt', head({ value: true, headers: {} })],
    ['start', json({ value: { kind: 'accepted' } })],
    ['start', json({ value: { kind: 'full', retryAfterMs: -1 } })],
    ['start', json({ value: { kind: 'busy', stream: {} } })],
    ['start', json({ value: { kind: 'duplicate', stream: {} } })],
    ['stream', head({ value: true, headers: {} })],
    ['messages', json({ value: { messages: {}, hasEarlier: false, isRunning: false, cursor: '', state: 'idle' } })],
    ['messages', json({ value: { messages: [], hasEarlier: false, isRunning: false, cursor: '', state: 'asleep' } })],
    ['messages', json({ value: { messages: [], hasEarlier: false, isRunning: false, state: 'idle' } })],
    ['list', json({ value: [{ id: 'a', updatedAt: 'now', state: 'idle' }] })],
    ['list', json({ value: [{ updatedAt: 1, state: 'idle' }] })],
    ['settle', json({ value: { kind: 'already' } })],
    ['settle', json({ value: { kind: 'refused', reason: ['x'] } })],
    ['states', json({ value: { a: 'asleep' } })],
    ['states', json({ value: [] })],
  ])('is unreachable where its answer to %s does not fit (%#)', async (name, answer) => {
    const door = await lying(answer);
    const call = calls.find(([each]) => each === name)?.[1];
    await expect(call?.(door)).rejects.toMatchObject({
      code: 'WORKER_UNREACHABLE',
      message: expect.stringContaining('does not know'),
    });
  });

  it.each(['HOST_CLOSEDX', '__proto__', 'toString', 'WORKER_UNREACHABLE'])(
    'reports the code %s as a plain failure',
    async (code) => {
      const door = await lying(json({ error: { code, message: 'm' } }, 500));
      await expect(start(door)).rejects.toEqual(new Error('The worker liar failed: m'));
    },
  );

  it('breaks a stream, and with it the body', async () => {
    const door = await lying((outgoing) => {
      outgoing.writeHead(200, { 'hexagent-stream': Buffer.from('{"headers":{}}').toString('base64url') });
      outgoing.write('so far', () => outgoing.destroy());
    });
    const stream = await door.sessions.stream('chat', ada);
    const reader = stream?.body.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('so far');
    await expect(reader?.read()).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
  });
});

import { once } from 'node:events';
import { connect as connectPlain, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { Deferred } from '@hexagent/async';
import type { ChatStream } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toTls } from '../src/identity.ts';
import { reachWorkers } from '../src/index.ts';
import { doorOf, fleet, identity, type Fleet } from './fleet.ts';

const ada = { name: 'ada' };

async function opened(...[options]: Parameters<typeof fleet>): Promise<Fleet> {
  const open = await fleet(options);
  onTestFinished(open.close);
  return open;
}

const portOf = ({ address }: { readonly address: string }): number => Number(new URL(address).port);

/** A client that has the identity of the fleet, and writes what it likes. */
async function client(worker: Fleet): Promise<TLSSocket> {
  const socket = connect({ port: portOf(worker), host: '127.0.0.1', ...toTls(identity).client });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

const gone = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.resume().once('close', resolve));

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  await gone(socket);
  return text;
}

/** Passes bytes on between a gateway and a worker, and notes what the gateway sent. */
async function between(worker: {
  readonly address: string;
}): Promise<{ server: Server; address: string; sent: Buffer[]; sockets: Set<Socket> }> {
  const [sent, sockets]: [Buffer[], Set<Socket>] = [[], new Set()];
  const server = createServer((inner) => {
    const outer = connectPlain(portOf(worker), '127.0.0.1');
    for (const socket of [inner, outer]) sockets.add(socket.on('error', () => {}));
    inner.on('data', (bytes) => sent.push(bytes));
    inner.pipe(outer).pipe(inner);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, sent, sockets, address: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** As many bytes as are asked for, and how many were. */
function endless(): { readonly stream: ChatStream; given: number; cancelled: boolean } {
  const source = { given: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        source.given += 16_384;
        controller.enqueue(new Uint8Array(16_384));
      },
      cancel: () => void (source.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return Object.assign(source, { stream: { headers: { 'content-type': 'text/plain' }, body } });
}

const streaming = (stream: () => ChatStream) => {
  const chats = new HandChats();
  const sessions = { stream: async () => stream(), list: chats.list.bind(chats) };
  return doorOf(chats, { sessions: sessions as never }); // the methods that are called
};

describe('Connections between a gateway and a worker', () => {
  it('make nothing of a recorded session that is sent again', async () => {
    let calls = 0;
    const worker = await opened({
      worker: { door: doorOf(new HandChats(), { states: async () => ({ ...(calls++, {}) }) }) },
    });
    const spy = await between(worker);
    const gateway = reachWorkers({ identity });
    onTestFinished(gateway.close);
    await gateway.reach({ owner: 'one', address: spy.address }).states(['secret-id'], ada);
    expect(calls).toBe(1);
    const recorded = Buffer.concat(spy.sent);
    expect(recorded.includes('secret-id')).toBe(false);
    for (const bytes of [recorded, recorded.subarray(-200)]) {
      const socket = connectPlain(portOf(worker), '127.0.0.1').on('error', () => {});
      socket.write(bytes);
      expect(await textOf(socket)).not.toContain('HTTP');
    }
    expect(calls).toBe(1);
  });

  it('are closed where half of a handshake, of headers or of a body is all that comes', async () => {
    const worker = await opened({ worker: { limits: { requestMs: 200 } } });
    const silent = connectPlain(portOf(worker), '127.0.0.1').on('error', () => {});
    const half = connectPlain(portOf(worker), '127.0.0.1').on('error', () => {});
    half.write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
    const [idle, headers, body] = [await client(worker), await client(worker), await client(worker)];
    const timers = [setInterval(() => headers.write('x-a: b\r\n'), 20), setInterval(() => body.write(' '), 20)];
    headers.write('POST /v1/states HTTP/1.1\r\nhost: x\r\n');
    body.write('POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
    await Promise.all([silent, half, idle, headers, body].map(gone));
    for (const timer of timers) clearInterval(timer);
    // Those who behave are answered meanwhile, and after it.
    expect(await worker.door.states([], ada)).toEqual({});
  });

  it.each([
    ['headers that are too long', `POST /v1/states HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(10_000)}\r\n\r\n`, '431'],
    [
      'a body that is too long',
      `POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n${'['.repeat(2_200_000)}`,
      '400',
    ],
    [
      'a body without end',
      `POST /v1/states HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${`fff\r\n${'x'.repeat(4095)}\r\n`.repeat(600)}`,
      '400',
    ],
    ['two lengths', 'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}', '400'],
    [
      'a length and chunks',
      'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['another method', 'GET /v1/states HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', '404'],
    [
      'another version',
      'POST /v2/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      '404',
    ],
    [
      'a call from a prototype',
      'POST /v1/constructor HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      '404',
    ],
    [
      'a path that climbs',
      'POST /v1/../v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      '404',
    ],
    ['no JSON', 'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{]', '400'],
    ['no member', 'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}', '400'],
    [
      'a member more',
      'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\nconnection: close\r\n\r\n{"chatIds":[],"caller":{"name":"ada"},"other":true}',
      '400',
    ],
    [
      'a prototype',
      'POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\nconnection: close\r\n\r\n{"__proto__":{"chatIds":[],"caller":{"name":"a"}}}',
      '400',
    ],
    ['an upgrade', 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n', ''],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
  ])('answer %s with an error, and end', async (_, request, status) => {
    const worker = await opened({ worker: { limits: { requestBytes: 2_000_000 } } });
    const socket = await client(worker);
    const answer = textOf(socket);
    socket.write(request);
    expect(await answer).toMatch(status === '' ? /^(?:HTTP\/1.1 [45]|$)/ : new RegExp(`^HTTP/1.1 ${status}`));
    expect(await worker.door.states([], ada)).toEqual({});
  });

  it('hold nothing up while others send much', async () => {
    const worker = await opened();
    const nested = `${'['.repeat(190)}${'1,'.repeat(190_000)}1${']'.repeat(190)}`;
    const sockets = await Promise.all(Array.from({ length: 5 }, () => client(worker)));
    for (const socket of sockets)
      socket.end(`POST /v1/states HTTP/1.1\r\nhost: x\r\ncontent-length: ${nested.length}\r\n\r\n${nested}`);
    const closing = Promise.all(sockets.map(gone));
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await closing;
    clearInterval(timer);
    expect(longest).toBeLessThan(500);
  });

  it('ask the agent for no more than a reader takes', async () => {
    const source = endless();
    const worker = await opened({ worker: { door: streaming(() => source.stream) } });
    const stream = await worker.door.sessions.stream('chat', ada);
    const reader = stream!.body.getReader();
    await reader.read();
    // Until nothing more is asked for, for a while: what is on its way is in buffers of the system.
    let [given, still] = [0, 0];
    await expect
      .poll(() => ((still = source.given === given ? still + 1 : 0), (given = source.given), still), { interval: 20 })
      .toBeGreaterThan(10);
    expect(given).toBeLessThan(16_000_000);
    let read = 0;
    while (read < 2 * given) read += (await reader.read()).value?.byteLength ?? 0;
    await reader.cancel();
    await expect.poll(() => source.cancelled).toBe(true);
  });

  it('end where a gateway takes nothing of a stream for too long', async () => {
    const source = endless();
    const worker = await opened({ worker: { door: streaming(() => source.stream), limits: { unreadMs: 100 } } });
    const stream = await worker.door.sessions.stream('chat', ada);
    await expect.poll(() => source.cancelled).toBe(true);
    const reader = stream!.body.getReader();
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
  });

  it('cancel the stream of a call whose gateway has left', async () => {
    const source = endless();
    const [called, going] = [new Deferred<void>(), new Deferred<void>()];
    const door = doorOf(new HandChats(), {
      sessions: { stream: async () => (called.resolve(), await going.promise, source.stream) } as never, // the method that is called
    });
    const worker = await opened({ worker: { door }, gateway: { limits: { answerMs: 300 } } });
    const call = worker.door.sessions.stream('chat', ada);
    await called.promise;
    await expect(call).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    going.resolve();
    await expect.poll(() => source.cancelled).toBe(true);
  });

  it('break the stream whose source breaks, and report it', async () => {
    const worker = await opened();
    const started = await worker.door.sessions.start('chat', { id: 'one', content: '' }, { steer: false }, ada);
    const turn = worker.chats.turnOf('chat');
    turn?.write('so far');
    const reader = ('stream' in started ? started.stream : undefined)!.body.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('so far');
    turn?.fail(new Error('gone'));
    await expect(reader.read()).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    expect(worker.errors).toEqual([new Error('gone')]);
  });

  it('are made anew where the worker was started again at its address', async () => {
    const worker = await opened();
    expect(await worker.door.states([], ada)).toEqual({});
    await worker.closeWorker();
    await expect(worker.door.states([], ada)).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    const again = await opened({ worker: { address: worker.address } });
    expect(await worker.door.states([], ada)).toEqual({});
    expect(again.errors).toEqual([]);
  });

  it('end with the gateway, and reject what is open and what comes', async () => {
    const worker = await opened({ worker: { door: doorOf(new HandChats(), { states: () => new Promise(() => {}) }) } });
    const stream = await worker.door.sessions.start('chat', { id: 'one', content: '' }, { steer: false }, ada);
    const reader = ('stream' in stream ? stream.stream : undefined)!.body.getReader();
    const open = [worker.door.states([], ada), reader.read()];
    const closing = worker.close();
    for (const each of await Promise.allSettled(open)) expect(each).toMatchObject({ reason: { code: 'HOST_CLOSED' } });
    await expect(worker.door.states([], ada)).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    await closing;
  });

  it('let a stream end by itself where the worker closes, and cut it when it does not', async () => {
    const worker = await opened({ worker: { limits: { closeMs: 300 } } });
    const [ends, stays] = await Promise.all(
      ['ends', 'stays'].map(async (id) => {
        const started = await worker.door.sessions.start(id, { id: 'one', content: '' }, { steer: false }, ada);
        return ('stream' in started ? started.stream : undefined)!.body;
      }),
    );
    connectPlain(portOf(worker), '127.0.0.1').on('error', () => {}); // with half of a handshake
    const closing = worker.closeWorker();
    worker.chats.turnOf('ends')?.write('the end');
    worker.chats.turnOf('ends')?.end();
    expect(await new Response(ends).text()).toBe('the end');
    await expect(new Response(stays).text()).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
    await closing;
    await expect(worker.door.states([], ada)).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
  });

  it('are as many as are allowed, and not more', async () => {
    const worker = await opened({ gateway: { limits: { calls: 3 } } });
    const start = (id: string) => worker.door.sessions.start(id, { id: 'one', content: '' }, { steer: false }, ada);
    const started = await Promise.all(['a', 'b', 'c'].map(start));
    await expect(start('d')).rejects.toMatchObject({ code: 'HOST_FULL' });
    expect(worker.chats.turnOf('d')).toBeUndefined();
    const [first] = started;
    await (first !== undefined && 'stream' in first ? first.stream : undefined)?.body.cancel();
    expect(await start('d')).toMatchObject({ kind: 'accepted' });
  });

  it('carry 1,000 streams at once without loss, and leave no socket', async () => {
    const worker = await opened();
    const ids = Array.from({ length: 1000 }, (_, at) => `chat-${at}`);
    const texts = ids.map(async (id) => {
      const started = await worker.door.sessions.start(id, { id: 'one', content: '' }, { steer: false }, ada);
      return await new Response(('stream' in started ? started.stream : undefined)!.body).text();
    });
    await expect.poll(() => ids.filter((id) => worker.chats.turnOf(id) !== undefined).length).toBe(1000);
    for (let at = 0; at < 20; at += 1) {
      for (const id of ids) worker.chats.turnOf(id)?.write(`${id}:${at};`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const id of ids) worker.chats.turnOf(id)?.end();
    const whole = (id: string): string => Array.from({ length: 20 }, (_, at) => `${id}:${at};`).join('');
    expect(await Promise.all(texts)).toEqual(ids.map(whole));
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    // Some are kept for the next calls: of each both ends are here.
    await expect.poll(sockets).toBeLessThanOrEqual(40);
    await worker.close();
    await expect.poll(sockets).toBe(0);
  });
});

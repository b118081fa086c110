import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createGateway, type ChatGateway } from '@hexagent/chat';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { fleetIn, textOf, type Fleet } from './fleet.ts';

const [server] = inject('servers');

/** A gateway whose callers name their tenant in a header. */
function gatewayOf({ place, key }: Fleet): ChatGateway {
  const { pool, schema } = place;
  const gateway = createGateway({
    postgres: { pool, schema, leaseMs: 1000 },
    identity: { key },
    identify: ({ headers }) => ({ name: 'one', tenant: decodeURIComponent(headers.get('x-tenant') ?? 'acme') }),
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

interface Sent {
  readonly tenant?: string;
  readonly body?: object;
}

async function ask({ handle }: ChatGateway, path: string, { tenant = 'acme', body }: Sent = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-tenant': encodeURIComponent(tenant) };
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  return await handle(new Request(`http://localhost/api/${path}`, init));
}

const send = (gateway: ChatGateway, chat: string, text: string, tenant?: string): Promise<Response> => {
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  return ask(gateway, 'chat', { ...(tenant !== undefined && { tenant }), body: { id: chat, message } });
};

/** Counts who calls it. */
async function trap(): Promise<{ readonly port: number; readonly calls: () => number }> {
  let calls = 0;
  const listener = createServer((socket) => {
    calls += 1;
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void listener.close());
  return { port: (listener.address() as AddressInfo).port, calls: () => calls }; // it listens at an IP
}

describe.skipIf(server === undefined)('A stranger', () => {
  it('who writes an address into the database is not called, and chats go to the workers', async () => {
    await using fleet = fleetIn(server!);
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    const { port, calls } = await trap();
    const addresses = [`http://127.0.0.1:${port}`, `https://127.0.0.1:${port}/x`, `https://localhost:${port}`];
    const outside = ['https://169.254.169.254:80', 'https://10.1.2.3:7070', `https://[::ffff:127.0.0.1]:${port}`];
    const workers = `"${fleet.place.schema}".workers`;
    for (const [at, address] of [...addresses, ...outside].entries())
      await fleet.place.pool.query(
        `insert into ${workers} (owner, address, capacity, expires_at) values ($1, $2, 1000, now() + interval '1 hour')`,
        [`forged ${at}`, address],
      );
    const texts = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => await textOf(await send(gateway, `chat-${at}`, `task ${at}`))),
    );
    expect(texts).toEqual(Array.from({ length: 8 }, (_, at) => `I did task ${at}.`));
    // As the one who drives a chat, too.
    const sessions = `"${fleet.place.schema}".sessions`;
    await fleet.place.pool.query(
      `insert into ${sessions} (id, fence, worker) select 'acme.held', 1, id from ${workers} where owner = 'forged 0'`,
    );
    expect((await send(gateway, 'held', 'task')).status).toBe(503);
    expect([calls(), fleet.ran.includes('task')]).toEqual([0, false]);
  });

  it('of another tenant sees, stops and answers nothing by the ids of a chat', async () => {
    await using fleet = fleetIn(server!);
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    const answer = await send(gateway, 'chat', 'ask me');
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('tool-approval-request')) text += (await reader.read()).value ?? '';
    const approval = /"approvalId":"([^"]+)"/.exec(text)?.[1] ?? '';
    const other = { tenant: 'other' };
    expect((await ask(gateway, 'chat/chat/stream', other)).status).toBe(204);
    expect(await (await ask(gateway, 'sessions', other)).json()).toMatchObject({ sessions: [] });
    const paths = [`chat/chat/approvals/${approval}`, 'chat/chat/stop', 'chat/chat/restart', 'chat/chat/discard'];
    for (const path of paths) {
      const response = await ask(gateway, path, { ...other, body: { approved: true } });
      expect([path, await response.text()]).toEqual([path, expect.not.stringMatching(/true/)]);
    }
    expect((await ask(gateway, 'chat/acme.chat/stream', other)).status).toBe(400);
    expect(await (await ask(gateway, 'sessions/chat/messages', other)).text()).not.toContain('ask me');
    const settled = await ask(gateway, `chat/chat/approvals/${approval}`, { body: { approved: true } });
    expect(await settled.json()).toEqual({ settled: true });
    for (let done = false; !done;) {
      const { value = '', ...read } = await reader.read();
      text += value;
      done = read.done;
    }
    expect(text).toContain('"delta":"ask me."');
  });

  it.each([
    `'; drop schema public cascade; --`,
    `\\'; select pg_sleep(60); --`,
    `$1 $$ E'\\x27' %s {} \\N`,
    'a NUL \0 within',
    '../acme',
    'é 😀',
  ])('called %j has chats of his own, with texts that say the same', async (name) => {
    await using fleet = fleetIn(server!);
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    expect(await textOf(await send(gateway, 'chat', name, name))).toBe(`I did ${name}.`);
    const listed = async (tenant: string): Promise<unknown> =>
      Reflect.get(Object(await (await ask(gateway, 'sessions', { tenant })).json()), 'sessions');
    expect([await listed(name), await listed('acme')]).toMatchObject([[{ id: 'chat' }], []]);
    for (const chat of [name, `${name}.chat`, '*', 'x'.repeat(5000)])
      expect([400, 404]).toContain((await send(gateway, chat, 'task', name)).status);
    expect(fleet.ran).toEqual([name]);
  });

  it('sends more than is taken, and nothing of it is stored', async () => {
    await using fleet = fleetIn(server!);
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    for (const length of [200_001, 1_100_000, 30_000_000])
      expect([400, 413]).toContain((await send(gateway, 'chat', 'x'.repeat(length))).status);
    const { rows } = await fleet.place.pool.query(`select from "${fleet.place.schema}".messages`);
    expect([rows.length, fleet.ran]).toEqual([0, []]);
  });

  it('without the key makes 300 connections to a worker, and holds no page up', async () => {
    await using fleet = fleetIn(server!);
    const { address } = await fleet.worker();
    const gateway = gatewayOf(fleet);
    const port = Number(new URL(address).port);
    const quiet = <T extends Socket>(socket: T): T => (socket.on('error', () => {}), socket);
    const sockets = Array.from({ length: 300 }, (_, at) =>
      at % 3 === 0
        ? quiet(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }))
        : quiet(
            connect(port, '127.0.0.1', () => (at % 3 === 1 ? sockets[at]?.write('POST /v1/list HTTP/1.1\r\n\r\n') : 0)),
          ),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const texts = Array.from(
      { length: 20 },
      async (_, at) => await textOf(await send(gateway, `chat-${at}`, `task ${at}`)),
    );
    expect(await Promise.all(texts)).toEqual(Array.from({ length: 20 }, (_, at) => `I did task ${at}.`));
    expect(sockets.map((socket) => socket.bytesRead).filter((bytes) => bytes > 1000)).toEqual([]);
  });
});

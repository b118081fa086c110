import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createGateway, type ChatGateway, type GatewayOptions } from '@hexagent/chat';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { fleetIn, textOf, type Fleet, type Member } from './fleet.ts';

const [server] = inject('servers');

/** So long that no worker of a test loses one since the machine is busy. */
const leaseMs = 30_000;

/** A gateway whose callers name their tenant in a header. */
function gatewayOf({ place, key }: Fleet, limits: GatewayOptions['limits'] = {}): ChatGateway {
  const { pool, schema } = place;
  const gateway = createGateway({
    postgres: { pool, schema, leaseMs: 1000 },
    identity: { key },
    limits,
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

/** Makes a worker the one that drives a chat, in the database alone; with no worker, the chat is released. */
async function give({ place }: Fleet, chat: string, worker?: Member): Promise<void> {
  const { sessions, workers } = { sessions: `"${place.schema}".sessions`, workers: `"${place.schema}".workers` };
  const { rows } = await place.pool.query(
    `update ${sessions} set worker = (select id from ${workers} where address = $2), fence = fence + 1 where id = $1 returning worker`,
    [`acme.${chat}`, worker?.address ?? ''],
  );
  expect([rows.length, rows[0]?.worker !== null]).toEqual([1, worker !== undefined]);
}

/** The states of the messages of a chat, as they are stored. */
async function statesOf({ place }: Fleet, chat: string): Promise<readonly string[]> {
  const statement = `select state from "${place.schema}".messages where session = $1 order by number`;
  return (await place.pool.query<{ state: string }>(statement, [`acme.${chat}`])).rows.map(({ state }) => state);
}

describe.skipIf(server === undefined)('A worker that is wrong about its lease', () => {
  const hosting = { autoResume: 'continue', takeoverGraceMs: 200, sweepMs: 300 } as const;

  it('since another one has it writes nothing more, and the message is finished there', async () => {
    await using fleet = fleetIn(server!, { turnMs: 2000, hosting, leaseMs });
    const [one, two] = await Promise.all([fleet.worker(), fleet.worker()]);
    const gateway = gatewayOf(fleet);
    const answer = await send(gateway, 'chat', 'task');
    const holder = (await fleet.holder('acme.chat'))!;
    const other = holder === one ? two : one;
    await expect.poll(() => holder.ran).toEqual(['task']);
    await give(fleet, 'chat', other);
    await answer.text().catch(() => {});
    await expect.poll(() => statesOf(fleet, 'chat'), { timeout: 15_000 }).toEqual(['completed']);
    expect([holder.ran, other.ran]).toEqual([['task'], ['task']]);
    // From here on it knows, and sends all requests on.
    expect(await textOf(await send(gateway, 'chat', 'next'))).toBe('I did next.');
    expect([holder.ran, await fleet.holder('acme.chat')]).toEqual([['task'], other]);
  });

  it('since it was released runs nothing twice, and a worker finishes the message', async () => {
    await using fleet = fleetIn(server!, { turnMs: 2000, hosting, leaseMs });
    await Promise.all([fleet.worker(), fleet.worker()]);
    const gateway = gatewayOf(fleet);
    const answer = await send(gateway, 'chat', 'task');
    await expect.poll(() => fleet.ran).toEqual(['task']);
    await give(fleet, 'chat');
    await answer.text().catch(() => {});
    await expect.poll(() => statesOf(fleet, 'chat'), { timeout: 15_000 }).toEqual(['completed']);
    expect(fleet.ran.length).toBeLessThanOrEqual(2);
  });

  it('which it has without having heard so takes the chat when a message arrives', async () => {
    await using fleet = fleetIn(server!, { hosting, leaseMs });
    const worker = await fleet.worker();
    const gateway = gatewayOf(fleet);
    expect(await textOf(await send(gateway, 'chat', 'one'))).toBe('I did one.');
    // That is stored a moment after a page can read it.
    await expect.poll(() => statesOf(fleet, 'chat')).toEqual(['completed']);
    await worker.kill();
    const next = await fleet.worker();
    await give(fleet, 'chat', next);
    expect(await textOf(await send(gateway, 'chat', 'two'))).toBe('I did two.');
    expect(next.ran).toEqual(['two']);
  });
});

/** Neither as it is nor compressed does it fit into a row of an index, which has at most 2,704 bytes. */
const tooLong = randomBytes(4000).toString('hex');

describe.skipIf(server === undefined)('A row that is too large', () => {
  /** What the database says about it, which no page is shown. */
  const unsaid = /schema|postgres|index/;

  async function expectOthersWork(gateway: ChatGateway): Promise<void> {
    expect(await textOf(await send(gateway, 'other', 'task'))).toBe('I did task.');
  }

  it('by the name of a tenant is refused, and nothing of it is stored', async () => {
    await using fleet = fleetIn(server!, { leaseMs });
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    // The first is longer than a worker takes. In a key, a character of the second has six bytes.
    const names = [tooLong, String.fromCharCode(...Array.from(randomBytes(900), (byte) => 200 + byte))];
    for (const name of names) {
      const response = await send(gateway, 'chat', 'too large', name);
      expect([response.status, await response.text()]).toEqual([500, expect.not.stringMatching(unsaid)]);
    }
    await expectOthersWork(gateway);
    const { rows } = await fleet.place.pool.query(`select session from "${fleet.place.schema}".messages`);
    expect([rows, fleet.ran]).toEqual([[{ session: 'acme.other' }], ['task']]);
  });

  it('by the name of a tool denies the call, and the turn continues', async () => {
    await using fleet = fleetIn(server!, { leaseMs });
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    const text = `use ${tooLong}`;
    const answer = await (await send(gateway, 'chat', text)).text();
    expect(answer).toContain('The request could not be stored, so no person was asked.');
    expect(answer).toContain('"type":"finish","finishReason":"stop"');
    expect(answer).not.toMatch(unsaid);
    await expect.poll(() => statesOf(fleet, 'chat')).toEqual(['completed']);
    await expectOthersWork(gateway);
    expect(fleet.ran).toEqual([text, 'task']);
  });

  it('by the uuid of a line in a transcript is reported to the page, and the turn continues', async () => {
    await using fleet = fleetIn(server!, { leaseMs });
    await fleet.worker();
    const gateway = gatewayOf(fleet);
    const answer = await (await send(gateway, 'chat', `note ${tooLong}`)).text();
    expect(answer).toContain('A part of this chat could not be stored');
    expect(answer).toContain('"type":"finish","finishReason":"stop"');
    expect(answer).not.toMatch(unsaid);
    await expectOthersWork(gateway);
  });

  it('of ten megabytes, where the limits let it in, is a message and a line as any', async () => {
    await using fleet = fleetIn(server!, { leaseMs });
    await fleet.worker();
    const gateway = gatewayOf(fleet, { bodyBytes: 20_000_000, textChars: 20_000_000 });
    const text = 'é'.repeat(5_000_000);
    const received = await textOf(await send(gateway, 'chat', text));
    expect([received.length, received === `I did ${text}.`]).toEqual([text.length + 7, true]);
    await expect.poll(() => statesOf(fleet, 'chat')).toEqual(['completed']);
  });
});

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

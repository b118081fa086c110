import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { postgresStores, type PostgresPool, type PostgresStatement, type PostgresStores } from '../src/index.ts';

const frame = (type: string, body = ''): string => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return type + length.toString('latin1') + body;
};

const ready = frame('Z', 'I');
const welcome = frame('R', '\0\0\0\0') + ready;
const noRows = [frame('1'), frame('2'), frame('n'), frame('C', 'SELECT 0\0'), ready].join('');
const sync = frame('S');

interface Server extends AsyncDisposable {
  /** All that were ever made, the first one first. */
  readonly connections: readonly Socket[];
  /** Of the statements that the pool ran. */
  readonly pooled: readonly string[];
  readonly open: (leaseMs?: number) => PostgresStores;
}

/** Welcomes each connection, and answers the statements of those that it does not leave `silent`. Those of the pool are answered without it. */
async function serve(isSilent: (connection: number) => boolean): Promise<Server> {
  const [connections, pooled]: [Socket[], string[]] = [[], []];
  const server = createServer((socket) => {
    const answers = !isSilent(connections.push(socket));
    socket.setEncoding('latin1').on('error', () => {});
    socket.once('data', () => {
      socket.write(welcome, 'latin1');
      socket.on('data', (sent) => {
        if (answers && String(sent).includes(sync)) socket.write(noRows, 'latin1');
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  const pool: PostgresPool = {
    async query({ text }: PostgresStatement) {
      pooled.push(text);
      return { rows: [{ version: 1, found: true, session: null }] };
    },
    connect: () => Promise.reject(new Error('Nothing is to be migrated.')),
    on: () => {},
    off: () => {},
    options: { host: '127.0.0.1', port, user: 'me', ssl: false },
  };
  return {
    connections,
    pooled,
    open: (leaseMs) => postgresStores({ pool, leaseMs, pooler: false }),
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const worker = { owner: 'me', renewWithinMs: undefined };
const away = { code: 'STORE_UNREACHABLE' };

// Half of a lease is waited for in vain. What comes behind it has as long, also on a busy machine.
describe('The connection that keeps leases', () => {
  it('is replaced where it does not answer until the leases are given up: later ones would wait behind that statement', async () => {
    await using server = await serve((connection) => connection === 1);
    await using stores = server.open(2000);
    await expect(stores.leases.keep(worker)).rejects.toMatchObject(away);
    expect(await stores.leases.keep(worker)).toBe('lost');
    await expect.poll(() => server.connections.map(({ closed }) => closed)).toEqual([true, false]);
  }, 10_000);

  it('is replaced once, where several statements fail with it', async () => {
    await using server = await serve((connection) => connection === 1);
    await using stores = server.open(3000);
    const keep = (): Promise<unknown> => stores.leases.keep(worker).catch(() => 'failed');
    const one = keep().then(async (answer) => [answer, await keep()]);
    await expect.poll(() => server.connections[0]?.bytesRead).toBeGreaterThan(100);
    // Fails later, while the first already uses another connection.
    const two = keep().then(async (answer) => [answer, await keep()]);
    expect(await Promise.all([one, two])).toEqual([
      ['failed', 'lost'],
      ['failed', 'lost'],
    ]);
    expect(server.connections.length).toBe(2);
  });

  it('is replaced after it broke while nothing was asked', async () => {
    await using server = await serve(() => false);
    await using stores = server.open();
    expect(await stores.leases.keep(worker)).toBe('lost');
    server.connections[0]?.destroy();
    await expect.poll(() => stores.leases.keep(worker).catch(() => 'failed')).toBe('lost');
    expect(server.connections.length).toBe(2);
  });

  it('ends with the stores, and is not made again', async () => {
    await using server = await serve(() => false);
    const stores = server.open();
    await stores.leases.keep(worker);
    await stores.close();
    await expect.poll(() => server.connections.map(({ closed }) => closed)).toEqual([true]);
    const before = server.pooled.length;
    expect(await stores.leases.keep(worker)).toEqual(new Map());
    expect([server.connections.length, server.pooled.length - before]).toEqual([1, 1]);
  });
});

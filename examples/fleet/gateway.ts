/*
 * A gateway: it answers pages with the chats of all workers. What it has to know is in its environment; `npm run fleet` and the manifests run
 * this very file. `/ready` says whether it can answer.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, toNodeListener } from '@hexagent/chat';
import { Pool } from 'pg';
import { listed, required, startOrExit } from './environment.ts';

await startOrExit('The gateway', async () => {
  const pool = new Pool({ connectionString: required('DATABASE_URL'), connectionTimeoutMillis: 2000 });
  const hosts = listed('PAGE_HOSTS');
  const gateway = createGateway({
    postgres: { pool },
    identity: { key: required('FLEET_KEY') },
    ranges: listed('FLEET_RANGES'),
    permissionModes: ['acceptEdits'],
    limits: { bodyBytes: 16 * 1024 * 1024 },
    // Without hosts it answers this machine alone. Replace the token by your sign-in: `identify`.
    ...(hosts !== undefined && { hosts, token: required('PAGE_TOKEN') }),
  });
  const isReady = (): Promise<boolean> =>
    pool.query('select').then(
      () => true,
      () => false,
    );
  const answer = toNodeListener(gateway.handle);
  const server = createServer((request, response) => {
    if (request.url === '/ready') void isReady().then((ready) => answerReady(response, ready));
    else answer(request, response);
  });
  const end = async (): Promise<void> => {
    server.close();
    await gateway.close();
    server.closeAllConnections();
    await pool.end();
  };
  let ended: Promise<void> | undefined;
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void (ended ??= end()));
  // Waiting for the end of the program that started it keeps no gateway alive that has ended.
  process.channel?.unref();
  server.listen(Number(process.env['PORT'] ?? 3000), process.env['LISTEN'] ?? '127.0.0.1', () => {
    const { address, port } = server.address() as AddressInfo; // it listens at an IP
    console.log(`The gateway is at http://${address}:${port}`);
  });
  server.on('error', ({ message }) => {
    console.error(`The gateway cannot start: ${message}. Set PORT to another one.`);
    process.exit(1);
  });
});

function answerReady(response: ServerResponse, ready: boolean): void {
  response.writeHead(ready ? 200 : 503, { 'cache-control': 'no-store' }).end();
}

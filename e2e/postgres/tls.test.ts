import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresStores } from '@hexagent/postgres';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { Server } from '../../examples/fleet/postgres-server.ts';
import { serverKinds, startServer } from './servers.ts';

const [kind] = serverKinds;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
/** Another one than that of servers which listen at the usual one. */
const address = `127.77.${process.pid % 250}.${1 + (process.pid % 200)}`;

/** Makes a certificate of the address, signed by itself. */
function certify(folder: string, name: string): void {
  const files = ['-keyout', path.join(folder, `${name}.key`), '-out', path.join(folder, `${name}.crt`)];
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const who = ['-subj', '/CN=database', '-addext', `subjectAltName=IP:${address}`];
  const { status, stderr } = spawnSync('openssl', [...how, ...who, ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Lets others in by TLS alone. Returns a connection by the socket of the system. */
async function requireTls({ address: own }: Server): Promise<Client> {
  const data = path.join(own.host, 'data');
  certify(data, 'server');
  const key = path.join(data, 'server.key');
  if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534);
  appendFileSync(path.join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.0/8 trust\n');
  const client = new Client(own);
  await client.connect();
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await expect.poll(async () => (await client.query('show ssl')).rows).toEqual([{ ssl: 'on' }]);
  return client;
}

it.skipIf(kind === undefined || !hasOpenssl)(
  'With `sslmode=verify-full` each connection is encrypted, and a server with another certificate gets none',
  async () => {
    await using server = await startServer(kind!, { listen_addresses: address });
    const other = mkdtempSync(path.join(tmpdir(), 'hexagent-tls-'));
    const admin = await requireTls(server);
    try {
      const url = (file: string): string =>
        `postgres://postgres@${address}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
      const trusted = url(path.join(server.address.host, 'data/server.crt'));
      await using one = postgresStores({ url: trusted });
      await using two = postgresStores({ url: trusted });
      const member = await one.leases.join({ owner: 'one' });
      expect(await one.leases.keep(member)).toEqual(new Map());
      const received: string[] = [];
      one.signals.subscribe(({ session }) => void received.push(session));
      await expect
        .poll(() => {
          two.signals.send({ session: 'a', kind: 'wake' });
          return received.length;
        })
        .toBeGreaterThan(0);
      const statement = `select application_name, bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where client_addr is not null group by 1 order by 1`;
      expect((await admin.query(statement)).rows).toEqual([
        { application_name: '', ssl: true },
        { application_name: 'hexagent leases', ssl: true },
        { application_name: 'hexagent signals', ssl: true },
      ]);
      certify(other, 'other');
      await using deceived = postgresStores({ url: url(path.join(other, 'other.crt')) });
      await expect(deceived.directory.list()).rejects.toThrow('self-signed certificate');
    } finally {
      await admin.end();
      rmSync(other, { recursive: true });
    }
  },
);

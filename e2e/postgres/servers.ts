import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runServer, serverUser, type ServerAddress } from '../../examples/fleet/postgres-server.ts';

export { serverKinds, startServer, type ServerAddress, type ServerKind } from '../../examples/fleet/postgres-server.ts';

const pooler = '/usr/sbin/pgbouncer';

export const hasPooler: boolean = existsSync(pooler);

/** Puts a pooler in transaction mode before a server: each transaction may get another connection. */
export async function startPooler(
  server: ServerAddress,
): Promise<{ readonly address: ServerAddress } & AsyncDisposable> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-pooler-'));
  const file = path.join(folder, 'pgbouncer.ini');
  const options = ['pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 200', 'auth_type = any'];
  const place = [`* = host=${server.host} user=${server.user}`, '[pgbouncer]', `unix_socket_dir = ${folder}`];
  writeFileSync(file, ['[databases]', ...place, 'listen_addr =', 'listen_port = 5432', ...options].join('\n'));
  if (serverUser.uid !== undefined) for (const each of [folder, file]) chownSync(each, serverUser.uid, serverUser.gid);
  const address = { ...server, host: folder };
  const running = await runServer([pooler, file], address, 'TERM');
  return { address, [Symbol.asyncDispose]: () => running.end('') };
}

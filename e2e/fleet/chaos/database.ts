import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startServer, type Server, type ServerKind } from '../../../examples/fleet/postgres-server.ts';
import type { Network } from './network.ts';

export interface Database extends Server {
  /** Keeps a copy of what it has stored. Only while it is stopped. */
  save(): Promise<void>;
  /** Puts the copy in its place, as a replica that was promoted without the last commits. Only while it is stopped. */
  restore(): Promise<void>;
}

/** A server that those of a network reach, too. */
export async function startDatabase(kind: ServerKind, network: Network | undefined): Promise<Database> {
  const server = await startServer(kind, network && { listen_addresses: network.address });
  const data = path.join(server.address.host, 'data');
  if (network !== undefined) {
    appendFileSync(path.join(data, 'pg_hba.conf'), `host all all ${network.range} trust\n`);
    const client = new Client(server.address);
    await client.connect();
    await client.query('select pg_reload_conf()');
    await client.end();
  }
  // The pages of the run continue meanwhile.
  const copy = async (from: string, to: string): Promise<void> => {
    await rm(to, { recursive: true, force: true });
    await promisify(execFile)('cp', ['-a', from, to]);
  };
  return { ...server, save: () => copy(data, `${data} copy`), restore: () => copy(`${data} copy`, data) };
}

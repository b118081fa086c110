import { randomUUID } from 'node:crypto';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '@hexagent/postgres';
import { Pool } from 'pg';
import type { ServerAddress } from './servers.ts';

/** A schema of one test. */
export interface Place extends AsyncDisposable {
  readonly schema: string;
  readonly pool: Pool;
  /** Stores with connections of their own, as another process has them. */
  open(options?: Partial<PostgresStoresOptions>): PostgresStores;
}

export function placeIn({ host, user, database }: ServerAddress, schema = `test ${randomUUID()}`): Place {
  const opened: PostgresStores[] = [];
  const pools: Pool[] = [];
  const connect = (): Pool => {
    const pool = new Pool({ host, user, database });
    // `end()` does not wait until its connections are closed: these may report that the server ends.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  };
  return {
    schema,
    pool: connect(),
    open(options) {
      const stores = postgresStores({ pool: connect(), schema, ...options });
      opened.push(stores);
      return stores;
    },
    async [Symbol.asyncDispose]() {
      for (const stores of opened) await stores.close();
      for (const pool of pools) await pool.end();
    },
  };
}

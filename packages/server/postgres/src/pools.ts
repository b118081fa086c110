import { SdkError } from '@hexagent/ports';
import { loadPg } from './load-pg.ts';
import type { PostgresPool } from './options.ts';

/** A pool of the program. */
export class GivenPool {
  readonly options: object;
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
    this.options = pool.options;
    // Without a listener, an idle connection that breaks ends the process. The pool replaces it.
    pool.on('error', ignore);
  }

  async get(): Promise<PostgresPool> {
    return this.#pool;
  }

  async close(): Promise<void> {
    this.#pool.off('error', ignore);
  }
}

/** A pool that is made with its first use: only then `pg` is loaded. */
export class OwnPool {
  readonly options: { readonly connectionString: string; readonly connectionTimeoutMillis: number };
  #pool: Promise<PostgresPool & { end(): Promise<void> }> | undefined;
  #isClosed = false;

  constructor(url: string) {
    this.options = { connectionString: url, connectionTimeoutMillis: 5000 };
  }

  async get(): Promise<PostgresPool> {
    if (this.#isClosed) throw new SdkError('STORE_FAILED', 'The stores were closed.');
    this.#pool ??= loadPg().then(({ Pool }) => new Pool(this.options).on('error', ignore));
    return await this.#pool;
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.end();
  }
}

const ignore = (): void => {};

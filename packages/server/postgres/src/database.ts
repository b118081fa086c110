import { createHash } from 'node:crypto';
import { errorText, hasCode, isName, isRecord, shown } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import type { Client } from 'pg';
import { loadPg } from './load-pg.ts';
import { hasPooler } from './has-pooler.ts';
import { migrate } from './migrate.ts';
import type { DatabaseOptions, PostgresStatement } from './options.ts';
import { GivenPool, OwnPool } from './pools.ts';

export type Value = string | number | boolean | null | readonly (string | null)[];

/**
 * Read by `pg`, which gives the statement up then, and closes its connection. One that was cut off without a word, as where a machine is gone,
 * is waited for by the system for a quarter of an hour.
 */
const limit = { query_timeout: 30_000 };

/** Runs statements in the schema, which is made or brought up to date before the first one. */
export class Database {
  readonly schema: string;
  /** The schema as an identifier. */
  readonly quoted: string;
  readonly #pool: GivenPool | OwnPool;
  #isPooled: boolean | undefined;
  readonly #names = new Map<string, string>();
  #ready: Promise<void> | undefined;
  #apart: Promise<Client> | undefined;
  #isClosed = false;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ url, pool, schema = 'hexagent', pooler }: DatabaseOptions) {
    // A longer one would be cut by the server, and two schemas be the same.
    if (!isName(schema) || schema.includes('\0') || Buffer.byteLength(schema) > 63)
      throw new TypeError(`\`schema\` must be a name of at most 63 bytes, not ${shown(schema)}.`);
    if ((url === undefined) === (pool === undefined)) throw new TypeError('Pass `url` or `pool`, and not both.');
    if (pool === undefined && (!isName(url) || url.includes('\0')))
      throw new TypeError(`\`url\` must be an address such as postgres://user@host/database, not ${shown(url)}.`);
    this.#pool = pool === undefined ? new OwnPool(url ?? '') : new GivenPool(pool);
    this.schema = schema;
    this.quoted = `"${schema.replaceAll('"', '""')}"`;
    this.#isPooled = pooler;
  }

  /** Whether connections are shared with other clients. Known when `ready()` has resolved, unless an option says it. */
  get isPooled(): boolean {
    return this.#isPooled === true;
  }

  /** A connection outside of the pool, to the same database, that is not open yet. */
  async client(purpose: 'signals' | 'leases'): Promise<Client> {
    const { Client } = await loadPg();
    const limits = { keepAlive: true, query_timeout: 5000, connectionTimeoutMillis: 5000 };
    const own = { ...limits, fallback_application_name: `hexagent ${purpose}` };
    // The pool hides its password from loops over the options, which so would not copy it.
    const members = [this.#pool.options, own].map((options) => Object.getOwnPropertyDescriptors(options));
    return new Client(Object.defineProperties({}, Object.assign({}, ...members)));
  }

  /**
   * Runs one statement, which is a transaction of its own.
   * @throws {SdkError} `STORE_UNREACHABLE` where no server takes the statement now, `STORE_FAILED` for each other failure.
   */
  async query<Row = Readonly<Record<string, never>>>(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    await this.ready();
    return await this.#attempt(async () => {
      const pool = await this.#pool.get();
      const { rows } = await pool.query(this.#statement(text, values));
      return rows as Row[]; // the caller names the columns of its statement
    });
  }

  /**
   * Runs one statement over a connection of its own: those of the pool may have thousands to do before it. Gives it up after `withinMs`,
   * and the connection with it. Throws as `query()` does.
   */
  async queryApart<Row>(text: string, values: readonly Value[], withinMs: number): Promise<readonly Row[]> {
    await this.ready();
    const apart = this.#isClosed ? undefined : (this.#apart ??= this.#connectApart());
    const client = await apart?.catch(() => undefined);
    // As where the role has no connection left: the pool may have one.
    if (client === undefined) return await this.query(text, values);
    return await this.#attempt(async () => {
      try {
        const statement = { ...this.#statement(text, values), query_timeout: withinMs };
        return (await client.query(statement)).rows as Row[]; // as above
      } catch (error) {
        // One that did not answer in time may answer the next statement with what was meant for this one.
        if (this.#apart === apart) this.#apart = undefined;
        void client.end().catch(() => {});
        throw error;
      }
    });
  }

  /** Resolves once the schema is there, in the version that this package knows. */
  async ready(): Promise<void> {
    this.#ready ??= this.#attempt(async () => {
      const pool = await this.#pool.get();
      await migrate(pool, this.schema, this.quoted);
      this.#isPooled ??= await hasPooler(pool);
    });
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined; // tried again the next time
      throw error;
    }
  }

  /** Ends the pool that was made here, and the connection beside it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const apart = await this.#apart?.catch(() => undefined);
    await Promise.all([apart?.end(), this.#pool.close()]);
  }

  async #connectApart(): Promise<Client> {
    try {
      const client = await this.client('leases');
      // One that breaks while nothing is asked is found by the next statement.
      client.on('error', () => {});
      await client.connect();
      return client;
    } catch (error) {
      this.#apart = undefined;
      throw error;
    }
  }

  #statement(text: string, values: readonly Value[]): PostgresStatement {
    if (this.isPooled) return { ...limit, text, values: [...values] };
    const name = this.#names.get(text) ?? `hexagent_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.#names.set(text, name);
    return { ...limit, name, text, values: [...values] };
  }

  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      throw SdkError.is(cause) ? cause : await this.#failed(cause);
    }
  }

  async #failed(cause: unknown): Promise<SdkError> {
    const { host, port, database = '' } = await this.client('leases');
    const where = host.startsWith('/') ? host : `${host}:${port}`;
    const isPooler = hasCode(cause, '26000') || hasCode(cause, '42P05');
    const hint = isPooler ? ' If a pooler in transaction mode is between, leave `pooler` out.' : '';
    const name = database === '' ? '' : ` of the database ${database}`;
    const [code, done] = isAway(cause)
      ? (['STORE_UNREACHABLE', 'reached'] as const)
      : (['STORE_FAILED', 'used'] as const);
    const message = `The schema ${this.schema}${name} at ${where} could not be ${done}: ${errorText(cause)}${hint}`;
    return new SdkError(code, message, { cause });
  }
}

/** A server that ends or starts, a broken connection, too many connections, a standby. */
const states = /^(?:57P0|08|53300|25006)/;

/** Whether no server has taken the statement: one that did answers with a severity and a code. */
const isAway = (cause: unknown): boolean =>
  !isRecord(cause) || cause['severity'] === undefined || states.test(String(cause['code']));

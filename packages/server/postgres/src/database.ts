import { createHash } from 'node:crypto';
import { errorText, hasCode, isName, shown } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import { Client, escapeIdentifier } from 'pg';
import { migrate } from './migrate.ts';
import type { DatabaseOptions, PostgresPool, PostgresStatement } from './options.ts';

export type Value = string | number | boolean | null | readonly (string | null)[];

/** Runs statements in the schema, which is made or brought up to date before the first one. */
export class Database {
  readonly schema: string;
  /** The schema as an identifier. */
  readonly quoted: string;
  readonly isPooled: boolean;
  readonly #pool: PostgresPool;
  readonly #names = new Map<string, string>();
  #ready: Promise<void> | undefined;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ pool, schema = 'hexagent', pooler = false }: DatabaseOptions) {
    // A longer one would be cut by the server, and two schemas be the same.
    if (!isName(schema) || schema.includes('\0') || Buffer.byteLength(schema) > 63)
      throw new TypeError(`\`schema\` must be a name of at most 63 bytes, not ${shown(schema)}.`);
    this.#pool = pool;
    this.schema = schema;
    this.quoted = escapeIdentifier(schema);
    this.isPooled = pooler;
    // Without a listener, an idle connection that breaks ends the process. The pool replaces it.
    pool.on('error', ignore);
  }

  /** A connection outside of the pool, to the same database. */
  client(): Client {
    const limits = { keepAlive: true, query_timeout: 5000, connectionTimeoutMillis: 5000 };
    const own = { ...limits, fallback_application_name: 'hexagent signals' };
    // The pool hides its password from loops over the options, which so would not copy it.
    const members = [this.#pool.options, own].map((options) => Object.getOwnPropertyDescriptors(options));
    return new Client(Object.defineProperties({}, Object.assign({}, ...members)));
  }

  /**
   * Runs one statement, which is a transaction of its own.
   * @throws {SdkError} `STORE_FAILED` for each failure.
   */
  async query<Row = Readonly<Record<string, never>>>(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    await this.ready();
    return await this.#attempt(async () => {
      const { rows } = await this.#pool.query(this.#statement(text, values));
      return rows as Row[]; // the caller names the columns of its statement
    });
  }

  /** Resolves once the schema is there, in the version that this package knows. */
  async ready(): Promise<void> {
    this.#ready ??= this.#attempt(() => migrate(this.#pool, this.schema, this.quoted));
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined; // tried again the next time
      throw error;
    }
  }

  /** Does not end the pool. */
  close(): void {
    this.#pool.off('error', ignore);
  }

  #statement(text: string, values: readonly Value[]): PostgresStatement {
    if (this.isPooled) return { text, values: [...values] };
    const name = this.#names.get(text) ?? `hexagent_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.#names.set(text, name);
    return { name, text, values: [...values] };
  }

  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      throw SdkError.is(cause) ? cause : this.#failed(cause);
    }
  }

  #failed(cause: unknown): SdkError {
    const { host, port, database = '' } = this.client();
    const where = host.startsWith('/') ? host : `${host}:${port}`;
    const isPooler = hasCode(cause, '26000') || hasCode(cause, '42P05');
    const hint = isPooler ? ' If a pooler in transaction mode is between, set `pooler: true`.' : '';
    const message = `The schema ${this.schema} of the database ${database} at ${where} could not be used: ${errorText(cause)}${hint}`;
    return new SdkError('STORE_FAILED', message, { cause });
  }
}

const ignore = (): void => {};

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool {
  query(statement: PostgresStatement): Promise<{ readonly rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  /** As they were given to the pool. */
  readonly options: object;
}

/** What is used of a client of the pool. */
export interface PostgresConnection {
  /** The process of the server that was named when it connected. */
  readonly processID?: number | null;
  query(statement: PostgresStatement): Promise<{ readonly rows: unknown[] }>;
  release(error?: Error | boolean): void;
}

/** A statement with its parameters. */
export interface PostgresStatement {
  readonly name?: string;
  readonly text: string;
  values?: unknown[];
}

export interface DatabaseOptions {
  /** Where the database is: `postgres://user@host/database`. A pool of ten connections is made with the first call, and ended by `close()`. */
  readonly url?: string | undefined;
  /** A pool of `pg` instead, which is not ended here. */
  readonly pool?: PostgresPool | undefined;
  /** The schema of the tables. Default `hexagent`. */
  readonly schema?: string | undefined;
  /**
   * Whether a pooler in transaction mode, such as PgBouncer, is between: then no statement is prepared, and signals of other processes
   * are not received, so that hosts find what there is to do by their sweep. Default: found out with the first call, where each
   * pooler counts as one. `false` is for one in session mode.
   */
  readonly pooler?: boolean | undefined;
}

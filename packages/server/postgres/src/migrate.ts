import { SdkError } from '@hexagent/ports';
import { migrations } from './migrations.ts';
import type { PostgresConnection, PostgresPool } from './options.ts';

/** The version of the schema that this package knows. */
const known = migrations.length;

/** Makes the tables, or brings them up to date. Where they are, it changes nothing and needs no right to. */
export async function migrate(pool: PostgresPool, schema: string, quoted: string): Promise<void> {
  if ((await versionOf(pool, schema, quoted)) === known) return;
  const connection = await pool.connect();
  let failure: Error | undefined;
  try {
    await connection.query({ text: 'begin' });
    await change(connection, schema, quoted);
    await connection.query({ text: 'commit' });
  } catch (error) {
    failure = error instanceof Error ? error : new Error('The migration failed.');
    throw error;
  } finally {
    // A connection that failed is closed, which rolls back.
    connection.release(failure);
  }
}

async function change(connection: PostgresConnection, schema: string, quoted: string): Promise<void> {
  // One process at a time. The others then find the version that they want.
  const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
  await connection.query({ text: lock, values: [`hexagent ${schema}`] });
  const version = await versionOf(connection, schema, quoted);
  // Asking for it with `if not exists` would need the right to make schemas.
  if (!(await exists(connection, 'pg_namespace where nspname = $1', schema)))
    await run(connection, `create schema ${quoted}`);
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    for (const statement of migration(quoted)) await run(connection, statement);
    await connection.query({ text: `insert into ${quoted}.migrations (version) values ($1)`, values: [index + 1] });
  }
}

const run = (connection: PostgresConnection, text: string): Promise<unknown> => connection.query({ text });

/** 0 where there are no tables. */
async function versionOf(on: Pick<PostgresConnection, 'query'>, schema: string, quoted: string): Promise<number> {
  if (!(await exists(on, `pg_tables where schemaname = $1 and tablename = 'migrations'`, schema))) return 0;
  const { rows } = await on.query({ text: `select max(version) as version from ${quoted}.migrations` });
  const version = Number((rows as { readonly version: unknown }[])[0]?.version ?? 0); // of the statement above
  if (version <= known) return version;
  throw new SdkError(
    'STORE_FAILED',
    `The schema ${schema} has version ${version}, and this version of @hexagent/postgres knows ${known}: update the package.`,
  );
}

/** Reads the catalogue itself: behind a lock that it had to wait for, a connection may have an old answer of `to_regclass()`. */
async function exists(on: Pick<PostgresConnection, 'query'>, what: string, schema: string): Promise<boolean> {
  const { rows } = await on.query({
    text: `select exists (select from pg_catalog.${what}) as found`,
    values: [schema],
  });
  return (rows as { readonly found: boolean }[])[0]?.found === true; // of the statement above
}

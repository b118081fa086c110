import { expect, it } from 'vitest';
import { postgresStores, type PostgresPool, type PostgresStatement } from '../src/index.ts';

/** Has the tables, and nothing in them. */
function emptyDatabase(): { readonly pool: PostgresPool; readonly statements: PostgresStatement[] } {
  const statements: PostgresStatement[] = [];
  const query = async (statement: PostgresStatement): Promise<{ readonly rows: unknown[] }> => {
    statements.push(statement);
    return { rows: [{ version: 1, found: true }] };
  };
  const connect = () => Promise.reject(new Error('Nothing is to be migrated.'));
  return { statements, pool: { query, connect, on: () => {}, off: () => {}, options: {} } };
}

it('A statement is given up by `pg` after half a minute: a connection that was cut off silently would be waited for', async () => {
  const { pool, statements } = emptyDatabase();
  for (const pooler of [false, true]) {
    await using stores = postgresStores({ pool, pooler });
    await stores.outbox.stateOf({ session: 'chat', uuid: 'one' });
    expect(statements.at(-1)).toMatchObject({ values: ['chat', 'one'], query_timeout: 30_000 });
  }
});

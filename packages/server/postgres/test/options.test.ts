import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresStores } from '../src/index.ts';

/** A pool of a database that does not run. */
const nowhere = (): Pool =>
  new Pool({ connectionString: 'postgres://ada:a-secret@127.0.0.1:1/books?application_name=a-name' });

describe('The options', () => {
  it('are refused where they are not what they must be', () => {
    const pool = nowhere();
    for (const schema of ['', '\0', '\ud83d', 'x'.repeat(64), 'é'.repeat(32)])
      expect(() => postgresStores({ pool, schema })).toThrow(/`schema` must be a name of at most 63 bytes/);
    expect(() => postgresStores({ pool: {} as Pool })).toThrow(/`pool` must be an object with the methods query/);
    expect(() => postgresStores({ pool, pooler: 'yes' as never })).toThrow(/`pooler` must be true or false/);
  });

  it('lead to a failure that names the database, and no password', async () => {
    await using stores = postgresStores({ pool: nowhere() });
    const failure: unknown = await stores.directory.list().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(
        /^The schema hexagent of the database books at 127\.0\.0\.1:1 could not .*ECONNREFUSED/,
      ),
      cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
    });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('a-secret');
  });
});

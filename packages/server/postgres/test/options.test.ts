import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresStores, type PostgresStores } from '../src/index.ts';

/** Of a database that does not run. */
const address = 'postgres://ada:a-secret@127.0.0.1:1/books?application_name=a-name';

const nowhere = (): Pool => new Pool({ connectionString: address });

describe('The options', () => {
  it('are refused where they are not what they must be', () => {
    const pool = nowhere();
    for (const schema of ['', '\0', '\ud83d', 'x'.repeat(64), 'é'.repeat(32)])
      expect(() => postgresStores({ pool, schema })).toThrow(/`schema` must be a name of at most 63 bytes/);
    expect(() => postgresStores({ pool: {} as Pool })).toThrow(/`pool` must be an object with the methods query/);
    expect(() => postgresStores({ pool, pooler: 'yes' as never })).toThrow(/`pooler` must be true or false/);
    expect(() => postgresStores({})).toThrow('Pass `url` or `pool`, and not both.');
    expect(() => postgresStores({ pool, url: 'postgres://127.0.0.1:1' })).toThrow(
      'Pass `url` or `pool`, and not both.',
    );
    for (const url of ['', 7, '\0'])
      expect(() => postgresStores({ url: url as string })).toThrow(/`url` must be an address such as/);
  });

  it('lead to a failure that names the database, and no password', async () => {
    for (const place of [{ pool: nowhere() }, { url: address }]) {
      await using stores = postgresStores(place);
      await expectFailure(stores);
    }
  });

  it('end the pool that was made here, and no other one', async () => {
    const pool = nowhere();
    for (const place of [{ pool }, { url: address }]) {
      const stores = postgresStores(place);
      await expectFailure(stores);
      await stores.close();
      await stores.close();
    }
    expect(pool.ended).toBe(false);
    const closed = postgresStores({ url: address });
    await closed.close();
    await expect(closed.directory.list()).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/were closed/),
    });
  });
});

async function expectFailure({ directory }: PostgresStores): Promise<void> {
  const failure: unknown = await directory.list().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: expect.stringMatching(
      /^The schema hexagent of the database books at 127\.0\.0\.1:1 could not .*ECONNREFUSED/,
    ),
    cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
  });
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('a-secret');
}

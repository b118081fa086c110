import { randomUUID } from 'node:crypto';
import { postgresStores } from '@hexagent/postgres';
import { escapeIdentifier, Pool } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { placeIn, type Place } from './places.ts';
import { serverKinds } from './servers.ts';

const record = (id: string) =>
  ({ id, sessionId: randomUUID(), begun: 'no', createdAt: 1, updatedAt: 1, facts: {} }) as const;

async function versionsOf({ pool, schema }: Place): Promise<readonly number[]> {
  const { rows } = await pool.query(`select version from ${escapeIdentifier(schema)}.migrations order by version`);
  return rows.map(({ version }) => version);
}

it.runIf(process.env['CI'])('There is a server of the system and one of npm in CI', () => {
  expect(serverKinds).toEqual(['system', 'npm']);
});

describe.each(inject('servers'))('The tables, on the server of $kind', (server) => {
  it('are made once by eight processes that start together', async () => {
    await using place = placeIn(server);
    const starting = Array.from({ length: 8 }, () => place.open().directory);
    await Promise.all(starting.map((directory, number) => directory.put(record(String(number)), 1)));
    expect(await versionsOf(place)).toEqual([1]);
    expect(await place.open().directory.list()).toHaveLength(8);
  });

  it('are in a schema of any name', async () => {
    for (const schema of [
      `Odd "name"; drop schema public; -- ${randomUUID().slice(0, 8)}`,
      "it's 😀 \\ %s $1",
      'UPPER',
    ]) {
      await using place = placeIn(server, schema);
      await place.open().directory.put(record('one'), 1);
      expect(await versionsOf(place)).toEqual([1]);
      expect(await place.open().directory.list()).toEqual([expect.objectContaining({ id: 'one' })]);
    }
  });

  it('of a newer version are refused, and left as they are', async () => {
    await using place = placeIn(server);
    await place.open().migrate();
    await place.pool.query(`insert into ${escapeIdentifier(place.schema)}.migrations (version) values (99)`);
    const { directory } = place.open();
    await expect(directory.list()).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/has version 99, and this version of @hexagent\/postgres knows 1: update/),
    });
    expect(await versionsOf(place)).toEqual([1, 99]);
  });

  it('are used by a role that may not make any, once they are made', async () => {
    await using place = placeIn(server);
    const role = `user ${randomUUID()}`;
    const [user, schema] = [role, place.schema].map((name) => escapeIdentifier(name));
    await place.pool.query(`create role ${user} login`);
    const pool = new Pool({ host: server.host, database: server.database, user: role });
    const { directory, approvals } = postgresStores({ pool, schema: place.schema });
    try {
      await expect(directory.list()).rejects.toThrow(/permission denied/);
      await place.open().migrate();
      // As on the page docs/postgres.md.
      await place.pool.query(`grant usage on schema ${schema} to ${user};
        grant select, insert, update, delete on all tables in schema ${schema} to ${user};
        grant usage on all sequences in schema ${schema} to ${user};`);
      await directory.put(record('one'), 1);
      expect(await directory.list()).toHaveLength(1);
      expect(await approvals.list()).toEqual([]);
      await expect(pool.query(`drop table ${schema}.directory`)).rejects.toThrow(/must be owner/);
    } finally {
      await pool.end();
    }
  });
});

import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { postgresStores, type PostgresPool } from '../src/index.ts';

/** What a server answered. */
const answered = (code: string): Error =>
  Object.assign(new DatabaseError('no', 2, 'error'), { severity: 'ERROR', code });

const failingWith = (error: Error): PostgresPool => ({
  query: () => Promise.reject(error),
  connect: () => Promise.reject(error),
  on: () => {},
  off: () => {},
  options: { host: 'db.example.com' },
});

it.each([
  ['a connection that is refused', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 'STORE_UNREACHABLE'],
  ['a pipe that broke', Object.assign(new Error('no'), { code: 'EPIPE' }), 'STORE_UNREACHABLE'],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), 'STORE_UNREACHABLE'],
  ['a server that is shut down', answered('57P01'), 'STORE_UNREACHABLE'],
  ['a server that starts', answered('57P03'), 'STORE_UNREACHABLE'],
  ['a pooler that has no server', answered('08P01'), 'STORE_UNREACHABLE'],
  ['too many connections', answered('53300'), 'STORE_UNREACHABLE'],
  ['a standby that is not promoted yet', answered('25006'), 'STORE_UNREACHABLE'],
  ['a wrong password', answered('28P01'), 'STORE_FAILED'],
  ['a table without the right to it', answered('42501'), 'STORE_FAILED'],
  ['a full disk', answered('53100'), 'STORE_FAILED'],
  ['a statement that was canceled', answered('57014'), 'STORE_FAILED'],
  ['a row that is too large', answered('54000'), 'STORE_FAILED'],
])('A call that fails for %s says whether it may succeed later', async (_, cause, code) => {
  await using stores = postgresStores({ pool: failingWith(cause) });
  await expect(stores.directory.list()).rejects.toMatchObject({ code, cause });
});

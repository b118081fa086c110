import type { PostgresPool } from './options.ts';

/** Whether a pooler is between: then another process of the server answers than the one that was named when the connection was made. */
export async function hasPooler(pool: PostgresPool): Promise<boolean> {
  const connection = await pool.connect();
  let failure: unknown;
  try {
    const { rows } = await connection.query({ text: 'select pg_backend_pid() as pid' });
    const [row] = rows as readonly { readonly pid: number }[]; // of the statement above
    return typeof connection.processID === 'number' && connection.processID !== row?.pid;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.release(failure !== undefined);
  }
}

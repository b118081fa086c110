import { randomUUID } from 'node:crypto';
import type { SessionSignal } from '@hexagent/ports';
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { placeIn } from './places.ts';
import { serverKinds, startServer } from './servers.ts';

const message = () => ({ session: 'a', uuid: randomUUID(), input: { content: 'hello' } });

/** How many connections listen. */
async function listening(pool: Pool): Promise<number> {
  const statement = `select count(*) from pg_stat_activity where application_name = 'hexagent signals'`;
  return Number((await pool.query(statement)).rows[0].count);
}

describe.each(serverKinds)('A server of %s that goes away', (kind) => {
  it('fails calls by its name, and is used again once it is back', async () => {
    await using server = await startServer(kind);
    await using place = placeIn(server.address);
    const { outbox, signals } = place.open();
    const received: SessionSignal[] = [];
    signals.subscribe((signal) => received.push(signal));
    expect(await outbox.enqueue(message())).toEqual({ kind: 'accepted', number: 1 });
    await expect.poll(() => listening(place.pool)).toBe(1);
    await server.stop();
    const during = message();
    for (const call of [outbox.enqueue(during), outbox.pending('a')])
      await expect(call).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
        message: expect.stringContaining(`of the database postgres at ${server.address.host} could not be reached`),
      });
    received.length = 0;
    await server.start();
    expect(await outbox.enqueue(during)).toEqual({ kind: 'accepted', number: 2 });
    // Signals of the time between are lost: what is unfinished is signalled anew.
    await expect.poll(() => received).toContainEqual({ session: 'a', kind: 'wake' });
    expect(received).toContainEqual({ session: 'a', kind: 'settled' });
    expect(await listening(place.pool)).toBe(1);
  });
});

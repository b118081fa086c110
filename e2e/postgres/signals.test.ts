import type { SessionSignal } from '@hexagent/ports';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { placeIn, type Place } from './places.ts';

const database = 'of signals';

/** The processes of the server that serve connections which listen, in the database of this file. */
async function listenersOf({ pool }: Place): Promise<readonly number[]> {
  const statement = `select pid from pg_stat_activity where application_name = 'hexagent signals' and datname = '${database}'`;
  return (await pool.query(statement)).rows.map(({ pid }) => pid);
}

describe.each(inject('servers'))('Signals, on the server of $kind', ({ kind: _kind, ...of }) => {
  const server = { ...of, database };

  beforeAll(async () => {
    await using place = placeIn(of);
    await place.pool.query(`create database "${database}"`);
  });

  it('come once from another process, also after the connection was lost many times', async () => {
    await using place = placeIn(server);
    const [here, there] = [place.open(), place.open()];
    const received: SessionSignal[] = [];
    here.signals.subscribe((signal) => received.push(signal));
    for (let lost = 0; lost < 5; lost += 1) {
      await expect.poll(() => listenersOf(place)).toHaveLength(1);
      const [pid] = await listenersOf(place);
      await place.pool.query('select pg_terminate_backend($1)', [pid]);
      await expect.poll(() => listenersOf(place)).not.toContain(pid);
    }
    await expect.poll(() => listenersOf(place)).toHaveLength(1);
    // Signals arrive in order: with a later one, all of this one have arrived.
    there.signals.send({ session: 'once', kind: 'moved' });
    await expect
      .poll(() => {
        there.signals.send({ session: 'last', kind: 'wake' });
        return received.map(({ session }) => session);
      })
      .toContain('last');
    expect(received.filter(({ session }) => session === 'once').length).toBeLessThan(2);
    expect(await listenersOf(place)).toHaveLength(1);
  });

  it('end with the last listener, and begin with the next one', async () => {
    await using place = placeIn(server);
    const { signals } = place.open();
    const stops = [signals.subscribe(() => {}), signals.subscribe(() => {})];
    await expect.poll(() => listenersOf(place)).toHaveLength(1);
    for (const stop of stops) stop();
    signals.subscribe(() => {})();
    signals.subscribe(() => {});
    await expect.poll(() => listenersOf(place)).toHaveLength(1);
  });

  it('reach the listeners of their own process where a pooler is between, over no connection', async () => {
    await using place = placeIn(server);
    const { signals } = place.open({ pooler: true });
    const received: SessionSignal[] = [];
    signals.subscribe((signal) => received.push(signal));
    signals.send({ session: 'a', kind: 'wake' });
    await expect.poll(() => received).toEqual([{ session: 'a', kind: 'wake' }]);
    expect(await listenersOf(place)).toEqual([]);
  });
});

import {
  approvalStoreContract,
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionSignalsContract,
  sessionStoreContract,
  transcriptsContract,
} from '@hexagent/testing/contracts';
import type { SessionSignal } from '@hexagent/ports';
import type { PostgresStores } from '@hexagent/postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { placeIn } from './places.ts';
import { hasPooler, startPooler } from './servers.ts';

it.runIf(process.env['CI'])('There is a pooler in CI', () => {
  expect(hasPooler).toBe(true);
});

const [server] = inject('servers');

describe.runIf(hasPooler && server !== undefined)('Behind a pooler in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;

  beforeAll(async () => {
    pooler = await startPooler(server!);
  });

  afterAll(async () => {
    await pooler[Symbol.asyncDispose]();
  });

  const runner = { describe, it };
  const fixture = <Store>(of: (stores: PostgresStores) => Store, isDurable = true) => ({
    isDurable,
    open() {
      const place = placeIn(pooler.address);
      const open = (): Store => of(place.open({ keepFinished: keepsFinished }));
      return { store: open(), reopen: async () => open(), close: async () => await place[Symbol.asyncDispose]() };
    },
  });
  const keepsFinished = 20;
  outboxStoreContract(runner, { ...fixture(({ outbox }) => outbox), keepsFinished });
  leaseStoreContract(
    runner,
    fixture(({ leases }) => leases),
  );
  approvalStoreContract(
    runner,
    fixture(({ approvals }) => approvals),
  );
  sessionDirectoryContract(
    runner,
    fixture(({ directory }) => directory),
  );
  // Only those of the same process.
  sessionSignalsContract(
    runner,
    fixture(({ signals }) => signals, false),
  );
  transcriptsContract(
    runner,
    fixture(({ transcriptsOf }) => transcriptsOf),
  );
  sessionStoreContract(runner, {
    ...fixture(({ transcriptsOf }) => transcriptsOf({ session: 'a', fence: 1 })),
    has: { reopen: true, listSessions: true, listSubkeys: true, delete: true },
  });

  it('no connection listens: it would be shared', async () => {
    await using place = placeIn(pooler.address);
    const stores = place.open();
    const received: SessionSignal[] = [];
    stores.signals.subscribe((signal) => received.push(signal));
    await stores.migrate();
    stores.signals.send({ session: 'a', kind: 'wake' });
    await expect.poll(() => received).toEqual([{ session: 'a', kind: 'wake' }]);
    const listening = `select pid from pg_stat_activity where query like 'listen %' and query like '%' || $1 || '%'`;
    expect((await place.pool.query(listening, [place.schema])).rows).toEqual([]);
  });

  it('a program that rules it out learns what to set', async () => {
    await using place = placeIn(pooler.address);
    const directories = Array.from({ length: 20 }, () => place.open({ pooler: false }).directory);
    const calls = await Promise.allSettled(Array.from({ length: 100 }, (_, at) => directories[at % 20]!.list()));
    const reasons = calls.flatMap((call) => (call.status === 'rejected' ? [String(call.reason)] : []));
    expect(reasons).toContainEqual(expect.stringContaining('leave `pooler` out'));
  });
});

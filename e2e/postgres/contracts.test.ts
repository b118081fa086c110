import {
  approvalStoreContract,
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionSignalsContract,
  sessionStoreContract,
  tenantPlacesContract,
  transcriptsContract,
} from '@hexagent/testing/contracts';
import type { PostgresStores } from '@hexagent/postgres';
import { describe, inject, it } from 'vitest';
import { escapeIdentifier } from 'pg';
import { placeIn, type Place } from './places.ts';

const keepsFinished = 20;

for (const server of inject('servers'))
  describe(`PostgreSQL, the server of ${server.kind}`, () => {
    const runner = { describe, it };
    const fixture = <Store>(of: (stores: PostgresStores, place: Place) => Store) => ({
      isDurable: true,
      open() {
        const place = placeIn(server);
        const open = (): Store => of(place.open({ keepFinished: keepsFinished }), place);
        return { store: open(), reopen: async () => open(), close: async () => await place[Symbol.asyncDispose]() };
      },
    });
    sessionDirectoryContract(
      runner,
      fixture(({ directory }) => directory),
    );
    outboxStoreContract(runner, { ...fixture(({ outbox }) => outbox), keepsFinished });
    // By their leases.
    const opened = new Map<unknown, Place>();
    const loseHolders = async (leases: unknown): Promise<void> => {
      const { pool, schema } = opened.get(leases)!;
      // Their time passes.
      await pool.query(`update ${escapeIdentifier(schema)}.workers set expires_at = now() - interval '1 ms'`);
    };
    leaseStoreContract(runner, {
      ...fixture(({ leases }, place) => {
        opened.set(leases, place);
        return leases;
      }),
      loseHolders,
    });
    tenantPlacesContract(runner, {
      ...fixture(({ leases, places }, place) => {
        opened.set(leases, place);
        return { leases, places };
      }),
      loseHolders: ({ leases }) => loseHolders(leases),
    });
    approvalStoreContract(
      runner,
      fixture(({ approvals }) => approvals),
    );
    sessionSignalsContract(
      runner,
      fixture(({ signals }) => signals),
    );
    transcriptsContract(
      runner,
      fixture(({ transcriptsOf }) => transcriptsOf),
    );
    sessionStoreContract(runner, {
      ...fixture(({ transcriptsOf }) => transcriptsOf({ session: 'a', fence: 1 })),
      has: { reopen: true, listSessions: true, listSubkeys: true, delete: true },
    });
  });

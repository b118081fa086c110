import {
  approvalStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionSignalsContract,
  sessionStoreContract,
} from '@hexagent/testing/contracts';
import type { PostgresStores } from '@hexagent/postgres';
import { describe, inject, it } from 'vitest';
import { placeIn } from './places.ts';

for (const server of inject('servers'))
  describe(`PostgreSQL, the server of ${server.kind}`, () => {
    const runner = { describe, it };
    const fixture = <Store>(of: (stores: PostgresStores) => Store) => ({
      isDurable: true,
      open() {
        const place = placeIn(server);
        const open = (): Store => of(place.open());
        return { store: open(), reopen: async () => open(), close: async () => await place[Symbol.asyncDispose]() };
      },
    });
    sessionDirectoryContract(
      runner,
      fixture(({ directory }) => directory),
    );
    outboxStoreContract(
      runner,
      fixture(({ outbox }) => outbox),
    );
    approvalStoreContract(
      runner,
      fixture(({ approvals }) => approvals),
    );
    sessionSignalsContract(
      runner,
      fixture(({ signals }) => signals),
    );
    sessionStoreContract(runner, {
      ...fixture(({ transcriptsOf }) => transcriptsOf({ session: 'a', fence: 1 })),
      has: { reopen: true, listSessions: true, listSubkeys: true, delete: true },
    });
  });

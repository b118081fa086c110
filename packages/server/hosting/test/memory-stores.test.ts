import { HandClock } from '@hexagent/testing';
import {
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionLogContract,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox } from '../src/index.ts';

describe('The stores in memory', () => {
  outboxStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryOutbox() }) });
  sessionDirectoryContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryDirectory() }) });
  sessionLogContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryLog() }) });

  const clock = new HandClock();
  leaseStoreContract(
    { describe, it },
    {
      isDurable: false,
      open: () => ({ store: new MemoryLeases({ clock, renewWithinMs: 1000 }) }),
      loseHolders: () => clock.advance(1000),
    },
  );
});

describe('A lease in memory that needs no renewal', () => {
  leaseStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryLeases() }) });
});

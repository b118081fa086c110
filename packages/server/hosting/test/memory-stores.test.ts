import { HandClock } from '@hexagent/testing';
import {
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionLogContract,
  sessionSignalsContract,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox, MemorySignals } from '../src/index.ts';

describe('The stores in memory', () => {
  outboxStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryOutbox() }) });
  outboxStoreContract(
    { describe, it },
    { isDurable: false, open: () => ({ store: new MemoryOutbox({ keepFinished: 3 }) }), keepsFinished: 3 },
  );
  sessionDirectoryContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryDirectory() }) });
  sessionLogContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryLog() }) });
  sessionSignalsContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemorySignals() }) });

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

describe('An outbox in memory', () => {
  it('forgets the oldest of the finished messages, whose uuids would fill the memory', async () => {
    const store = new MemoryOutbox({ keepFinished: 2 });
    for (const uuid of ['one', 'two', 'three']) {
      await store.enqueue({ session: 'a', uuid, input: { content: 'x' } });
      await store.mark({ session: 'a', uuid }, 'completed', 1);
    }
    expect(await store.stateOf({ session: 'a', uuid: 'one' })).toBeUndefined();
    expect(await store.enqueue({ session: 'a', uuid: 'one', input: { content: 'x' } })).toMatchObject({ number: 4 });
  });
});

describe('A lease in memory that needs no renewal', () => {
  leaseStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryLeases() }) });
});

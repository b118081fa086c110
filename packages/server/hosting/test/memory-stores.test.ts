import { HandClock } from '@hexagent/testing';
import {
  leaseStoreContract,
  outboxStoreContract,
  sessionDirectoryContract,
  sessionLogContract,
  sessionSignalsContract,
  tenantPlacesContract,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox, MemoryPlaces, MemorySignals } from '../src/index.ts';

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
  tenantPlacesContract(
    { describe, it },
    {
      isDurable: false,
      open() {
        const leases = new MemoryLeases({ clock, renewWithinMs: 1000 });
        return { store: { leases, places: new MemoryPlaces({ leases }) } };
      },
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

describe('A worker in memory', () => {
  it('has all its leases for as long as it is kept, and one that was lost has none again', async () => {
    const clock = new HandClock();
    const leases = new MemoryLeases({ clock, renewWithinMs: 1000 });
    const [one, two] = [await leases.join({ owner: 'one' }), await leases.join({ owner: 'two' })];
    for (const session of ['a', 'b']) await leases.acquire(session, one);
    for (let times = 0; times < 3; times += 1) {
      clock.advance(600);
      expect(await leases.keep(one)).toMatchObject({ size: 2 });
    }
    expect(await leases.keep(two)).toBe('lost');
    expect(await leases.workers()).toMatchObject([{ owner: 'one', leases: 2 }]);
    clock.advance(1000);
    expect(await leases.keep(one)).toBe('lost');
    expect(await leases.where('a')).toBeUndefined();
  });
});

describe('A lease in memory that needs no renewal', () => {
  leaseStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryLeases() }) });
});

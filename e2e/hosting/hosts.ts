import { MemoryDirectory, MemoryLeases, MemoryOutbox, SessionHost, type SessionHostOptions } from '@hexagent/hosting';
import type { SessionFact } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { openSession, type SessionOptions } from '@hexagent/sdk';
import { processesMentioning } from '@hexagent/testing/cli';
import type { Stage } from '../support/stage.ts';

/** What survives a host: give the same stores to the next one. */
export interface Stores extends Pick<SessionHostOptions, 'outbox' | 'directory' | 'leases'> {}

export const memoryStores = (): Stores => ({
  outbox: new MemoryOutbox(),
  directory: new MemoryDirectory(),
  leases: new MemoryLeases(),
});

/** A host of real agents in a place of their own. */
export function hostOf(
  place: Stage,
  { session = {}, ...options }: Partial<SessionHostOptions> & { readonly session?: SessionOptions } = {},
): SessionHost {
  return new SessionHost({
    ...memoryStores(),
    clock: systemClock,
    ids: { uuid: () => crypto.randomUUID() },
    crashes: { firstDelayMs: 10, longestDelayMs: 100 },
    open: (request) => openSession({ ...place.options, ...session, ...request.options }),
    ...options,
  });
}

/** The numbers of the agents that run in a place. */
export function agentsOf(place: Stage): readonly number[] {
  return processesMentioning(place.home.root)
    .filter(({ command }) => command.includes('--output-format'))
    .map(({ pid }) => pid);
}

export function killAgents(place: Stage): void {
  for (const pid of agentsOf(place)) process.kill(pid, 'SIGKILL');
}

/** The events of a session, and a way to wait for one. */
export function follow(
  host: SessionHost,
  id: string,
): { readonly events: readonly SessionFact[]; until(test: (event: SessionFact) => boolean): Promise<SessionFact> } {
  const events: SessionFact[] = [];
  const waiting = new Set<{ test: (event: SessionFact) => boolean; resolve: (event: SessionFact) => void }>();
  const read = async (): Promise<void> => {
    for await (const event of host.observe(id)) {
      events.push(event);
      for (const waiter of waiting) {
        if (!waiter.test(event)) continue;
        waiting.delete(waiter);
        waiter.resolve(event);
      }
    }
  };
  void read();
  return {
    events,
    until(test) {
      const found = events.find(test);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => void waiting.add({ test, resolve }));
    },
  };
}

import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '@hexagent/hosting';
import type { LeaseStore, Membership, OutboxStore, SessionDirectory } from '@hexagent/ports';

export interface HostStores {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  /** kill -9 of the host: it learns nothing more, and its leases are free. */
  readonly die: () => Promise<void>;
  /** What the host does outside of its stores is not done either once it is dead. */
  readonly whileAlive: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Stores that outlive the hosts which use them. */
export class LastingStores {
  readonly outbox: MemoryOutbox = new MemoryOutbox();
  readonly directory: MemoryDirectory = new MemoryDirectory();
  /** By uuid: the place of a message in its session. */
  readonly numbers = new Map<string, number>();
  readonly #leases = new MemoryLeases();

  /** What one host sees of them, for as long as it lives. */
  forOneHost(): HostStores {
    let isAlive = true;
    const joined = new Set<Membership>();
    const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
      // What a dead process asked for is not done, and never answered.
      if (!isAlive) return await new Promise<never>(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      if (!isAlive) return await new Promise<never>(() => {});
      const result = await work();
      return isAlive ? result : await new Promise<never>(() => {});
    };
    const { outbox, directory } = this;
    const leases = this.#leases;
    return {
      outbox: {
        enqueue: (message) =>
          whileAlive(async () => {
            const answer = await outbox.enqueue(message);
            if (answer.kind === 'accepted') this.numbers.set(message.uuid, answer.number);
            return answer;
          }),
        mark: (...args) => whileAlive(() => outbox.mark(...args)),
        stateOf: (...args) => whileAlive(() => outbox.stateOf(...args)),
        pending: (...args) => whileAlive(() => outbox.pending(...args)),
        async *claimable() {
          yield* await whileAlive(async () => await Array.fromAsync(outbox.claimable()));
        },
        delete: (...args) => whileAlive(() => outbox.delete(...args)),
      },
      directory: {
        get: (...args) => whileAlive(() => directory.get(...args)),
        put: (...args) => whileAlive(() => directory.put(...args)),
        list: (...args) => whileAlive(() => directory.list(...args)),
        delete: (...args) => whileAlive(() => directory.delete(...args)),
      },
      leases: {
        join: (worker) =>
          whileAlive(async () => {
            const member = await leases.join(worker);
            joined.add(member);
            return member;
          }),
        keep: (member) => whileAlive(() => leases.keep(member)),
        drain: (member) => whileAlive(() => leases.drain(member)),
        leave: (member) => whileAlive(() => leases.leave(member)),
        workers: () => whileAlive(() => leases.workers()),
        acquire: (...args) => whileAlive(() => leases.acquire(...args)),
        release: (lease) => whileAlive(() => leases.release(lease)),
        where: (session) => whileAlive(() => leases.where(session)),
      },
      whileAlive,
      die: async () => {
        isAlive = false;
        for (const member of joined) await leases.leave(member);
      },
    };
  }
}

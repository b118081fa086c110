import { postgresStores, type PostgresStores } from '@hexagent/postgres';
import { Pool, type PoolConfig } from 'pg';
import { startMember, type Environment, type Member } from './members.ts';

/** `silent`: it has not been heard of. `gone`: it was killed, and its leases have not ended. */
export type WorkerCondition = 'running' | 'draining' | 'silent' | 'gone';

/** A worker as the panel shows it. */
export interface WorkerView {
  readonly name: string;
  readonly condition: WorkerCondition;
  /** How many chats it drives. */
  readonly chats: number;
  /** How long ago it was heard of, in milliseconds. */
  readonly heardMs: number;
}

export const mostWorkers = 8;

const leaseMs = 5000;
/** A worker is heard of at least three times in a lease. */
const silentMs = leaseMs / 2;

/** The workers of this machine, and what the others know of them. */
export class Workers {
  readonly #env: Environment;
  readonly #pool: Pool;
  readonly #stores: PostgresStores;
  readonly #members = new Map<string, Member>();
  readonly #starting = new Set<Promise<Member>>();
  #count = 0;

  constructor(database: PoolConfig, env: Environment) {
    this.#env = env;
    this.#pool = new Pool(database).on('error', () => {});
    this.#stores = postgresStores({ pool: this.#pool, leaseMs });
  }

  /** `false` where there are enough. */
  async start(): Promise<boolean> {
    if (this.#members.size + this.#starting.size >= mostWorkers) return false;
    this.#count += 1;
    const name = `worker-${this.#count}`;
    const member = startMember('worker', this.#env);
    this.#starting.add(member);
    try {
      this.#members.set(name, await member);
    } finally {
      this.#starting.delete(member);
    }
    return true;
  }

  /** `false` for one that is not there. */
  act(name: string, action: 'kill' | 'drain'): boolean {
    const member = this.#members.get(name);
    if (!member?.isRunning) return false;
    member[action]();
    return true;
  }

  async list(): Promise<readonly WorkerView[]> {
    const [states, heard] = await Promise.all([this.#stores.leases.workers(), this.#heard()]);
    // They are there in the order in which they were ready.
    const members = [...this.#members].toSorted(([one], [other]) => one.localeCompare(other));
    return members.flatMap(([name, { address, isRunning }]) => {
      const state = states.find((each) => each.address === address);
      const heardMs = heard.get(address) ?? 0;
      // What has exited is shown for as long as its leases hold up its chats.
      if (state === undefined && !isRunning) this.#members.delete(name);
      if (state === undefined) return [];
      const condition = !isRunning ? 'gone' : state.isDraining ? 'draining' : heardMs > silentMs ? 'silent' : 'running';
      return [{ name, condition, chats: state.leases, heardMs }];
    });
  }

  /** No store says it: a program has no use for it. */
  async #heard(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#pool.query<{ address: string; left: number }>(
      `select address, extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as left from hexagent.workers`,
    );
    return new Map(rows.map(({ address, left }) => [address, Math.max(0, Math.round(leaseMs - left))]));
  }

  /** Resolves when all have exited. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#members.values()].map((member) => member.end()));
    await this.#stores.close();
    await this.#pool.end();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { MemorySignals, SessionHost } from '@hexagent/hosting';
import { SdkError, type SessionSignals, type Transport } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { createSdk } from '@hexagent/sdk';
import { Chance } from '../../support/chance.ts';
import type { Finding } from '../invariants.ts';
import { LastingStores, type HostStores } from './mortal-stores.ts';
import { MortalAgents } from './mortal-agents.ts';

export interface HostedLoad {
  readonly sessions: number;
  readonly messages: number;
  /** How often the process of one of the two hosts is killed. */
  readonly hostDeaths: number;
  /** More than this is a hang. */
  readonly withinMs: number;
}

const standard: HostedLoad = { sessions: 200, messages: 3, hostDeaths: 3, withinMs: 100_000 };

/**
 * Many sessions of two hosts over the same stores, with agents that are killed at any step, hosts that are too, and signals that are lost:
 * each message is run once, in the order in which they were stored.
 */
export async function runHosted(seed: number, _?: unknown, load: HostedLoad = standard): Promise<Finding> {
  const run = new HostedRun(seed, load);
  try {
    return await run.run();
  } finally {
    await run.close();
  }
}

interface RunningHost {
  readonly host: SessionHost;
  readonly stores: HostStores;
}

class HostedRun {
  readonly #load: HostedLoad;
  readonly #chance: Chance;
  readonly #agents: MortalAgents;
  readonly #stores = new LastingStores();
  readonly #accepted = new Map<string, string>();
  readonly #signals: SessionSignals;
  readonly #hosts: RunningHost[];
  #restarts = 0;
  #count = 0;

  constructor(seed: number, load: HostedLoad) {
    this.#load = load;
    this.#chance = new Chance(seed);
    this.#agents = new MortalAgents(new Chance(seed + 1_000_000));
    const kept = new MemorySignals();
    this.#signals = {
      send: (signal) => void (this.#chance.percent(70) && kept.send(signal)),
      subscribe: (listener) => kept.subscribe(listener),
    };
    this.#hosts = [this.#start(), this.#start()];
  }

  #start(): RunningHost {
    const stores = this.#stores.forOneHost();
    const { outbox, directory, leases, whileAlive } = stores;
    const { transport: shared } = this.#agents;
    const transport: Transport = { connect: (...args) => whileAlive(() => shared.connect(...args)) };
    const sdk = createSdk({ transport, onWarning: () => {} });
    const host = new SessionHost({
      outbox,
      directory,
      leases,
      signals: this.#signals,
      sweepMs: 50,
      open: ({ options }) => sdk.openSession({ ...options, env: { policy: 'exact' } }),
      clock: systemClock,
      ids: { uuid: () => this.#uuid() },
      random: () => this.#chance.below(1000) / 1000,
      autoResume: 'continue',
      maxLive: 10,
      maxStarting: 2,
      maxPending: 1000,
      crashes: { firstDelayMs: 1, longestDelayMs: 4, maxCrashes: 1000 },
      takeoverGraceMs: 0,
    });
    return { host, stores };
  }

  #uuid(): string {
    this.#count += 1;
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  async run(): Promise<Finding> {
    const { sessions, messages, hostDeaths, withinMs } = this.#load;
    const ids = Array.from({ length: sessions }, (_, index) => `chat ${index}`);
    const plan = ids.flatMap((id) => Array.from({ length: messages }, () => ({ id, uuid: this.#uuid() })));
    const shuffled = plan.toSorted(() => this.#chance.below(3) - 1);
    const sizes = Math.ceil(shuffled.length / (hostDeaths + 1));
    for (let death = 0; death <= hostDeaths; death += 1) {
      await this.#give(shuffled.slice(death * sizes, (death + 1) * sizes));
      if (death < hostDeaths) await this.#killHost();
    }
    const isDone = await this.#untilDone(withinMs);
    return this.#judge(isDone);
  }

  /** As a program does: what it has no receipt for, it hands over again. */
  async #give(messages: readonly { readonly id: string; readonly uuid: string }[]): Promise<void> {
    const given = messages.map(async ({ id, uuid }) => {
      await this.#send(this.#chance.oneOf(this.#hosts).host, id, uuid);
      this.#accepted.set(uuid, id);
    });
    const settled = Promise.allSettled(given);
    // Now and then the host dies before all is accepted.
    if (this.#chance.percent(50)) await Promise.race([settled, sleep(this.#chance.below(20))]);
    else await settled;
  }

  async #send(host: SessionHost, id: string, uuid: string): Promise<void> {
    try {
      await host.create(id);
      await host.send(id, { content: 'go', uuid });
    } catch (error) {
      // The other host makes the session at this moment.
      if (!SdkError.is(error) || error.code !== 'SESSION_HELD') throw error;
      await sleep(1);
      await this.#send(host, id, uuid);
    }
  }

  async #killHost(): Promise<void> {
    this.#restarts += 1;
    const killed = this.#hosts.splice(this.#chance.below(this.#hosts.length), 1);
    for (const { stores } of killed) await stores.die();
    this.#agents.killAll();
    // What the dead process still holds in memory must not run on: its agents are gone, and its stores answer nothing.
    const started = this.#start();
    this.#hosts.push(started);
    // The other one finds by itself what was left.
    if (this.#chance.percent(50)) await started.host.recover();
  }

  async #unfinished(): Promise<readonly string[]> {
    return await Array.fromAsync(this.#stores.outbox.claimable());
  }

  async #untilDone(withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      if ((await this.#unfinished()).length === 0) return true;
      this.#agents.killOne();
      await sleep(this.#chance.below(10));
    }
    return false;
  }

  async #judge(isDone: boolean): Promise<Finding> {
    const violations = [...this.#agents.violations];
    if (!isDone) violations.push(`not done: ${(await this.#unfinished()).join(', ')}`);
    const bySession = new Map<string, readonly string[]>();
    for (const { id, sessionId } of await this.#stores.directory.list())
      bySession.set(id, this.#agents.stored(sessionId));
    for (const [uuid, id] of this.#accepted) {
      const state = await this.#stores.outbox.stateOf({ session: id, uuid });
      const answers = this.#agents.answers.get(uuid) ?? 0;
      const stored = (bySession.get(id) ?? []).filter((one) => one === uuid).length;
      if (state !== 'completed' || answers !== 1 || stored !== 1)
        violations.push(`message ${uuid} of ${id}: ${state}, answered ${answers} times, stored ${stored} times`);
    }
    for (const [uuid, answers] of this.#agents.answers)
      if (answers > 1) violations.push(`message ${uuid}: answered ${answers} times`);
    if (this.#agents.mostAlive > 20) violations.push(`${this.#agents.mostAlive} agents lived at once`);
    for (const [session, uuids] of bySession) {
      const numbers = uuids.map((uuid) => this.#stores.numbers.get(uuid) ?? 0);
      if (numbers.some((number, at) => number < (numbers[at - 1] ?? 0)))
        violations.push(`the messages of ${session} ran in the order ${numbers.join(', ')}`);
    }
    await Promise.all(this.#hosts.map(({ host }) => host.drain({ withinMs: 5000 })));
    if (this.#agents.alive > 0) violations.push(`${this.#agents.alive} agents are left`);
    return {
      violations,
      seen: {
        'hosted messages': this.#accepted.size,
        'agents killed': this.#agents.kills,
        'hosts killed': this.#restarts,
      },
    };
  }

  async close(): Promise<void> {
    for (const { stores } of this.#hosts) await stores.die();
    this.#agents.killAll();
  }
}

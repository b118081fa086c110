import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { descendants, processes } from '@hexagent/testing/cli';
import { end, startMember, type Member } from '../fleet.ts';
import type { FleetProgramOptions } from '../fleet-program.ts';
import { monotonicMs } from './ledger-line.ts';
import type { Network, Seat } from './network.ts';

/** One process of the fleet, from its start to its end. */
export interface Run {
  readonly role: 'worker' | 'gateway';
  /** Which of those that are replaced by each other. */
  readonly number: number;
  /** No other one has it. */
  readonly name: string;
  readonly seat: Seat | undefined;
  readonly member: Member;
  /** When it was killed, or has exited. */
  endedAt: number;
  isLeaving: boolean;
}

interface ChaosFleetParts {
  readonly options: Pick<FleetProgramOptions, 'pool' | 'schema' | 'leaseMs' | 'hosting' | 'session'>;
  readonly ledger: string;
  /** Where all write down when they did not get on. */
  readonly stalls: string;
  readonly network: Network | undefined;
  readonly clocksOffMs: readonly number[];
}

/** As a supervisor does it: one that cannot start, since the database is away, is started again. */
async function started(start: () => Promise<Member>): Promise<Member> {
  for (let tries = 0; tries < 100; tries += 1) {
    const member = await start().catch(() => undefined);
    if (member !== undefined) return member;
    await wait(500);
  }
  return await start();
}

/** Workers and gateways that are replaced where they end. */
export class ChaosFleet implements AsyncDisposable {
  readonly runs: Run[] = [];
  readonly #parts: ChaosFleetParts;
  readonly #key: string = randomBytes(32).toString('hex');

  constructor(parts: ChaosFleetParts) {
    this.#parts = parts;
  }

  get network(): Network | undefined {
    return this.#parts.network;
  }

  /** The address of the database, where it has one. */
  get database(): string | undefined {
    return this.network?.address;
  }

  living(role: Run['role']): readonly Run[] {
    return this.runs.filter((run) => run.role === role && run.endedAt === Infinity && !run.isLeaving);
  }

  async start(role: Run['role'], number: number): Promise<void> {
    const { options, ledger, stalls, network, clocksOffMs } = this.#parts;
    const name = `${role}-${number}.${this.runs.length}`;
    const seat = network?.seat(role === 'worker' ? number : 10 + number);
    const own: FleetProgramOptions = {
      ...options,
      key: this.#key,
      stalls: { file: stalls, name },
      ...(role === 'worker' && { ledger: { file: ledger, owner: name }, clockOffMs: clocksOffMs[number] ?? 0 }),
      ...(seat !== undefined && { place: { address: seat.address, range: seat.range } }),
    };
    const member = await started(() => startMember(role, own, undefined, seat?.command));
    const run: Run = { role, number, name, seat, member, endedAt: Infinity, isLeaving: false };
    member.process.once('exit', () => (run.endedAt = Math.min(run.endedAt, monotonicMs())));
    this.runs.push(run);
  }

  async kill(run: Run): Promise<void> {
    run.endedAt = monotonicMs();
    await run.member.kill();
  }

  async drain(run: Run): Promise<void> {
    run.isLeaving = true;
    const exited = once(run.member.process, 'exit');
    run.member.drain();
    run.member.process.stdin?.end();
    if (run.member.process.exitCode === null && run.member.process.signalCode === null) await exited;
  }

  /** The processes of agents. */
  agents(): readonly number[] {
    const { executable } = this.#parts.options.session ?? {};
    if (typeof executable !== 'string') return [];
    const below = new Set(this.living('worker').flatMap(({ member }) => descendants(member.process.pid ?? 0)));
    return processes().flatMap(({ pid, command }) => (below.has(pid) && command.startsWith(executable) ? [pid] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.runs.map(({ member }) => end(member.process)));
  }
}

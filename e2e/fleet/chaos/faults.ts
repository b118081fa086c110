import { setTimeout as wait } from 'node:timers/promises';
import { descendants } from '@hexagent/testing/cli';
import type { Pool } from 'pg';
import type { ChaosFleet, Run } from './chaos-fleet.ts';
import type { Database } from './database.ts';
import { freezeJournal, readLoss, type Loss } from './journal.ts';
import { monotonicMs } from './ledger-line.ts';

/** What was done to the fleet. */
export interface FaultRecord {
  readonly kind: FaultKind;
  /** The processes. */
  readonly names: readonly string[];
  readonly from: number;
  until: number;
}

export interface FaultParts {
  readonly fleet: ChaosFleet;
  readonly server: Database;
  readonly pool: Pool;
  readonly schema: string;
  readonly random: () => number;
  /** What replicas lacked. */
  readonly losses: Loss[];
}

type Fault = (parts: FaultParts, record: (names: readonly string[]) => () => void) => Promise<void>;

const one = <T>(values: readonly T[], random: () => number): T | undefined =>
  values[Math.floor(random() * values.length)];

const kill =
  (role: Run['role']): Fault =>
  async ({ fleet, random }, record) => {
    const run = one(fleet.living(role), random);
    if (run === undefined) return;
    const over = record([run.name]);
    await fleet.kill(run);
    over();
    await wait(500 + random() * 3000);
    await fleet.start(role, run.number);
  };

const freeze =
  (withAgents: boolean): Fault =>
  async ({ fleet, random }, record) => {
    const run = one(fleet.living('worker'), random);
    const pid = run?.member.process.pid;
    if (run === undefined || pid === undefined) return;
    const over = record([run.name]);
    // The first one first: it starts no others then.
    const pids = withAgents ? [pid, ...descendants(pid)] : [pid];
    for (const each of pids) signal(each, 'SIGSTOP');
    await wait(9000);
    for (const each of pids.toReversed()) signal(each, 'SIGCONT');
    over();
  };

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited.
  }
}

const drain: Fault = async ({ fleet, random }, record) => {
  const run = one(fleet.living('worker'), random);
  if (run === undefined) return;
  const over = record([run.name]);
  await fleet.drain(run);
  over();
  await fleet.start('worker', run.number);
};

const stopDatabase =
  (ms: number): Fault =>
  async ({ server }, record) => {
    const over = record(['database']);
    await server.stop();
    await wait(ms);
    await server.start();
    over();
  };

/** A replica without the last two seconds, or so, takes the place of the database. */
const replica: Fault = async ({ server, pool, schema, losses }, record) => {
  const over = record(['database']);
  await server.stop();
  await server.save();
  await server.start();
  await wait(2500);
  const before = await freezeJournal(pool, schema);
  await server.stop();
  await server.restore();
  await server.start();
  losses.push(await readLoss(pool, schema, before, monotonicMs()));
  over();
};

const cut =
  (from: Run['role'], to: 'database' | Run['role']): Fault =>
  async ({ fleet, random }, record) => {
    const run = one(fleet.living(from), random);
    const others = to === 'database' ? [] : fleet.living(to);
    const addresses = to === 'database' ? [fleet.database] : others.map(({ seat }) => seat?.address);
    const { network } = fleet;
    if (network === undefined || run?.seat === undefined) return;
    const over = record([run.name]);
    for (const each of new Set(addresses)) if (each !== undefined) network.cut(run.seat, each);
    await wait(3000 + random() * 6000);
    for (const each of new Set(addresses)) if (each !== undefined) network.heal(run.seat, each);
    over();
  };

export const faults = {
  'kill-worker': kill('worker'),
  'kill-gateway': kill('gateway'),
  freeze: freeze(false),
  'freeze-all': freeze(true),
  drain,
  database: stopDatabase(2000),
  'database-60': stopDatabase(60_000),
  replica,
  'cut-worker-database': cut('worker', 'database'),
  'cut-worker-gateway': cut('worker', 'gateway'),
  'cut-gateway-database': cut('gateway', 'database'),
  'kill-agent': async ({ fleet, random }, record) => {
    const pid = one(fleet.agents(), random);
    if (pid === undefined) return;
    const over = record([`agent ${pid}`]);
    signal(pid, 'SIGKILL');
    over();
    await wait(300);
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultKind = keyof typeof faults;

/** Those that are drawn where none are named. */
export const usualFaults: readonly FaultKind[] = [
  'kill-worker',
  'kill-worker',
  'kill-gateway',
  'freeze',
  'freeze-all',
  'drain',
  'database',
  'cut-worker-database',
  'cut-worker-gateway',
  'cut-gateway-database',
];

export const needsNetwork = (kind: FaultKind): boolean => kind.startsWith('cut-');
const stopsDatabase: ReadonlySet<FaultKind> = new Set(['database', 'database-60', 'replica']);

/** Does so many faults, each a while after the one before began: some overlap, but for those that stop the database. */
export async function doFaults(
  parts: FaultParts & {
    readonly kinds: readonly FaultKind[];
    readonly everyMs: number;
    readonly records: FaultRecord[];
  },
): Promise<void> {
  const running: Promise<void>[] = [];
  let lastOutage: Promise<void> = Promise.resolve();
  for (const kind of parts.kinds) {
    await wait(parts.everyMs * (0.5 + parts.random()));
    const record = (names: readonly string[]): (() => void) => {
      const made: FaultRecord = { kind, names, from: monotonicMs(), until: Infinity };
      parts.records.push(made);
      return () => void (made.until = monotonicMs());
    };
    const begin = (): Promise<void> => faults[kind](parts, record);
    running.push(stopsDatabase.has(kind) ? (lastOutage = lastOutage.then(begin)) : begin());
  }
  await Promise.all(running);
}

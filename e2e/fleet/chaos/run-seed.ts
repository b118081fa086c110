import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '@hexagent/testing';
import { processesMentioning } from '@hexagent/testing/cli';
import { placeIn } from '../../postgres/places.ts';
import { ChaosFleet } from './chaos-fleet.ts';
import type { Database } from './database.ts';
import { takeoversIn, violationsIn, type Evidence } from './check.ts';
import { doFaults, needsNetwork, usualFaults, type FaultKind, type FaultRecord } from './faults.ts';
import { keepJournal, readAudit, readJournal, readStates, readTranscripts, type Loss } from './journal.ts';
import { monotonicMs, type LedgerLine } from './ledger-line.ts';
import type { Network } from './network.ts';
import { Page, type PageLog } from './pages.ts';
import type { RealAgents } from './real-agents.ts';
import { readStalls, watchStalls } from './stalls.ts';
import { makeTasks, type Task } from './task.ts';

export interface ChaosOptions {
  readonly server: Database;
  /** Without one nothing is cut. */
  readonly network: Network | undefined;
  readonly sessions: number;
  readonly messages: number;
  /** Which ones are drawn, and how many. */
  readonly kinds?: readonly FaultKind[] | undefined;
  readonly faults: number;
  /** One begins every so often, at random. */
  readonly everyMs: number;
  /** When a message is lost that is not finished, from the end of the last fault. */
  readonly withinMs: number;
  /** How wrong the time of day of each worker is. */
  readonly clocksOffMs?: readonly number[];
  /** Without them agents are scripted. */
  readonly real?: RealAgents | undefined;
}

export interface ChaosResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly faults: readonly FaultRecord[];
  readonly takeovers: ReturnType<typeof takeoversIn>;
  readonly answers: ReadonlyMap<string, number>;
  /** How many messages an agent began with more than once. */
  readonly repeated: number;
  readonly asked: number;
  readonly evidence: Evidence;
}

const leaseMs = 5000;
const graceMs = 3000;
/** After a worker was killed that nothing else was done to. */
export const longestTakeoverMs: number = leaseMs + graceMs + 2000;
const hosting = { autoResume: 'continue', takeoverGraceMs: graceMs, maxLive: 100 } as const;

/** Runs a fleet with pages under the faults that the seed draws, and looks for what must not be. */
export async function runSeed(seed: number, options: ChaosOptions): Promise<ChaosResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-chaos-'));
  await using place = placeIn(options.server.address);
  try {
    await place.open().migrate();
    await keepJournal(place.pool, place.schema);
    return await new Chaos(seed, options, { folder, pool: place.pool, schema: place.schema }).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ChaosPlace {
  readonly folder: string;
  readonly pool: ReturnType<typeof placeIn>['pool'];
  readonly schema: string;
}

class Chaos {
  readonly #seed: number;
  readonly #options: ChaosOptions;
  readonly #place: ChaosPlace;
  readonly #random: () => number;
  readonly #tasks: readonly Task[];
  readonly #ledger: string;
  readonly #stalls: string;
  readonly #faults: FaultRecord[] = [];
  readonly #losses: Loss[] = [];
  readonly #log: PageLog = { answers: new Map(), accepted: new Map(), settled: new Map() };
  /** The states of all messages, as they were at this time. */
  #states: { readonly of: ReadonlyMap<string, string>; readonly at: number } = { of: new Map(), at: 0 };

  constructor(seed: number, options: ChaosOptions, place: ChaosPlace) {
    this.#seed = seed;
    this.#options = options;
    this.#place = place;
    this.#random = seededRandom(seed);
    this.#tasks = makeTasks(this.#random, options.sessions, options.messages);
    this.#ledger = path.join(place.folder, 'ledger');
    this.#stalls = path.join(place.folder, 'stalls');
    options.real?.write(this.#ledger);
  }

  async run(): Promise<ChaosResult> {
    const fleet = this.#fleet();
    const unwatch = watchStalls(this.#stalls, 'pages');
    try {
      const starts = [0, 1, 2].map((number) => fleet.start('worker', number));
      // All of them, so that those are ended that have started where another one fails.
      const started = await Promise.allSettled([...starts, ...[0, 1].map((number) => fleet.start('gateway', number))]);
      for (const each of started) if (each.status === 'rejected') throw each.reason;
      await this.#play(fleet);
    } finally {
      unwatch();
      await fleet[Symbol.asyncDispose]();
    }
    return this.#result(await this.#evidence(fleet));
  }

  #fleet(): ChaosFleet {
    const { server, network, clocksOffMs = [], real } = this.#options;
    const pool = network === undefined ? server.address : { ...server.address, host: network.address };
    const options = { pool, schema: this.#place.schema, leaseMs, hosting, ...(real && { session: real.session }) };
    return new ChaosFleet({ options, ledger: this.#ledger, stalls: this.#stalls, network, clocksOffMs });
  }

  async #play(fleet: ChaosFleet): Promise<void> {
    const { server, everyMs, withinMs } = this.#options;
    const stop = new AbortController();
    const over = new AbortController();
    const watching = this.#watch(over.signal);
    let late: NodeJS.Timeout | undefined;
    // On a busy machine a fault takes long: the copy of a database, up to minutes.
    const begin = (): void => void (late = setTimeout(() => stop.abort(), withinMs));
    const page = new Page({
      gateways: () => fleet.living('gateway').map(({ member }) => member),
      random: this.#random,
      find: (task) => this.#find(task),
      log: this.#log,
      stop: stop.signal,
    });
    const sessions = [...Map.groupBy(this.#tasks, ({ session }) => session).values()];
    // People come one after the other.
    const spreadMs = (everyMs * this.#options.faults) / sessions.length;
    const pages = sessions.map(async (tasks, at) => {
      await wait(at * spreadMs);
      await page.run(tasks);
    });
    const { pool, schema } = this.#place;
    const parts = {
      fleet,
      server,
      pool,
      schema,
      random: seededRandom(this.#seed + 1000),
      kinds: this.#kinds(),
      everyMs,
    };
    try {
      const faults = doFaults({ ...parts, records: this.#faults, losses: this.#losses });
      await Promise.all([...pages, faults.finally(begin)]);
      for (; !this.#areDone() && !stop.signal.aborted; await wait(100)) {
        // A replica lacks the end of a message, and its page has gone: another one answers what is asked again.
        const open = this.#tasks.filter((task) => this.#find(task)?.isDone === false);
        await Promise.all(open.map((task) => page.follow(task)));
      }
    } finally {
      clearTimeout(late);
      stop.abort();
      over.abort();
      await watching;
    }
  }

  #kinds(): readonly FaultKind[] {
    const { kinds = usualFaults, network, faults } = this.#options;
    const able = kinds.filter((kind) => network !== undefined || !needsNetwork(kind));
    const random = seededRandom(this.#seed + 2000);
    return Array.from({ length: faults }, () => able[Math.floor(random() * able.length)] ?? 'kill-worker');
  }

  #find({ id }: Task): { readonly isDone: boolean; readonly at: number } | undefined {
    const state = this.#states.of.get(id);
    if (state === undefined) return undefined;
    return { isDone: state === 'completed' || state === 'cancelled', at: this.#states.at };
  }

  #areDone(): boolean {
    const lost = new Set(this.#losses.flatMap(({ journal }) => journal.map(({ uuid }) => uuid)));
    return this.#tasks.every((task) => this.#find(task)?.isDone ?? lost.has(task.id));
  }

  async #watch(over: AbortSignal): Promise<void> {
    for (; !over.aborted; await wait(200)) {
      const at = monotonicMs();
      const of = await readStates(this.#place.pool, this.#place.schema).catch(() => undefined);
      if (of !== undefined) this.#states = { of, at };
    }
  }

  async #evidence(fleet: ChaosFleet): Promise<Evidence> {
    const { pool, schema } = this.#place;
    const offMs = Date.now() - monotonicMs();
    const lines = existsSync(this.#ledger) ? readFileSync(this.#ledger, 'utf8').split('\n') : [];
    const journal = await readJournal(pool, schema);
    return {
      tasks: this.#tasks,
      ...this.#log,
      ledger: lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as LedgerLine),
      journal: journal.map((line) => ({ ...line, at: line.at - offMs })),
      states: await readStates(pool, schema),
      transcripts: await readTranscripts(pool, schema),
      audit: await readAudit(pool, schema),
      faults: this.#faults,
      losses: this.#losses,
      stalls: readStalls(this.#stalls),
      ends: new Map(fleet.runs.map(({ name, endedAt }) => [name, endedAt])),
      areProcesses: this.#options.real !== undefined,
      orphans: await this.#orphans(),
    };
  }

  /** Processes that have the name of the ledger, or its folder. */
  async #orphans(): Promise<readonly string[]> {
    const left = () => processesMentioning(this.#place.folder).map(({ command }) => command.slice(0, 200));
    for (let tries = 0; tries < 50 && left().length > 0; tries += 1) await wait(100);
    return left();
  }

  #result(evidence: Evidence): ChaosResult {
    const takeovers = takeoversIn(evidence);
    const late = takeovers.filter(({ ms, isAlone }) => isAlone && ms > longestTakeoverMs);
    const begins = evidence.ledger.filter(({ kind }) => kind === 'begin');
    return {
      seed: this.#seed,
      violations: [...violationsIn(evidence), ...late.map(({ ms }) => `taken over after ${Math.round(ms)} ms`)],
      faults: this.#faults,
      takeovers,
      answers: this.#log.answers,
      repeated: begins.length - new Set(begins.map(({ text }) => text)).size,
      asked: this.#log.settled.size,
      evidence,
    };
  }
}

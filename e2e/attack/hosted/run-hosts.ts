import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OutboxFiles } from '@hexagent/host-files';
import { processesMentioning, requireCli, type ProcessEntry } from '@hexagent/testing/cli';
import {
  lastUserText,
  pause,
  reply,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { stage, type Stage } from '../../support/stage.ts';
import { storedEntries, type StoredEntry } from '../../support/stored-texts.ts';
import { Chance } from '../../support/chance.ts';
import type { Finding } from '../invariants.ts';
import { killAgent } from '../kill-agent.ts';
import { processesLeft } from '../leftovers.ts';
import type { HostOrder, HostReport } from './host-program.ts';

export interface HostsLoad {
  readonly sessions: number;
  readonly messages: number;
  readonly hostDeaths: number;
  readonly agentDeaths: number;
  readonly withinMs: number;
}

const standard: HostsLoad = { sessions: 10, messages: 3, hostDeaths: 2, agentDeaths: 10, withinMs: 75_000 };

/** Real agents under a host with files: both are killed at random moments, and each message is run once. */
export async function runHosts(seed: number, _?: unknown, load: HostsLoad = standard): Promise<Finding> {
  const chance = new Chance(seed);
  await using place = await stage((request) => answer(request, chance));
  const run = new HostsRun(place, chance, load);
  try {
    return await run.run();
  } finally {
    run.kill();
  }
}

/** Texts that take a moment, and tools. */
function answer(request: ModelRequest, chance: Chance): TurnLike {
  const isAnswered = toolResults(request).length > 0;
  if (!isAnswered && lastUserText(request).endsWith('tool')) return reply([toolUse('Bash', { command: 'sleep 0.2' })]);
  return reply([text(['a', pause(chance.below(200)), 'b', pause(chance.below(200)), 'c'])]);
}

/** Whether an entry of a transcript is where a message was asked. */
function isOf({ type, uuid, mergedSendUuids = [], attachment }: StoredEntry, message: string): boolean {
  if (type === 'attachment') return attachment?.source_uuid === message;
  return type === 'user' && (uuid === message || mergedSendUuids.includes(message));
}

class HostsRun {
  readonly #place: Stage;
  readonly #chance: Chance;
  readonly #load: HostsLoad;
  readonly #states = new Map<string, string>();
  readonly #violations: string[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #agentDeaths = 0;
  #hostDeaths = 0;

  constructor(place: Stage, chance: Chance, load: HostsLoad) {
    this.#place = place;
    this.#chance = chance;
    this.#load = load;
  }

  async run(): Promise<Finding> {
    const { sessions, messages, withinMs, hostDeaths, agentDeaths } = this.#load;
    const orders = Array.from({ length: sessions * messages }, (_, index): HostOrder => ({
      id: `chat ${index % sessions}`,
      uuid: crypto.randomUUID(),
      // One of these may join the turn that runs, or be merged with others.
      ...(this.#chance.percent(30) && { priority: 'next' as const }),
      content: `message ${index}${this.#chance.percent(40) ? ' with a tool' : ''}`,
    }));
    await this.#start();
    for (const order of orders) this.#give(order);
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline && !orders.every(({ uuid }) => this.#isOver(uuid))) {
      await sleep(20 + this.#chance.below(60));
      this.#watchForTwins();
      if (this.#agentDeaths < agentDeaths && this.#chance.percent(15)) this.#killAgent();
      if (this.#hostDeaths < hostDeaths && this.#chance.percent(4)) await this.#killHost(orders);
    }
    return await this.#judge(orders);
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  #isOver(uuid: string): boolean {
    return this.#states.get(uuid) === 'completed';
  }

  #give(order: HostOrder): void {
    this.#child?.stdin.write(`${JSON.stringify(order)}\n`);
  }

  async #start(): Promise<void> {
    const { home, env } = this.#place;
    const program = fileURLToPath(new URL('host-program.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program],
      {
        cwd: home.root,
        env: {
          PATH: process.env['PATH'],
          HOST_FOLDER: join(home.root, 'host'),
          HOST_CWD: home.cwd,
          HOST_CLI: requireCli({ from: import.meta.url }),
          HOST_ENV: JSON.stringify(env),
        },
      },
    );
    this.#child = child;
    child.stdin.on('error', () => {}); // it was killed
    child.stderr.on('data', (output: Buffer) => this.#violations.push(`the host wrote: ${output.toString()}`));
    const ready = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { uuid, state } = JSON.parse(line) as HostReport; // written by the program
        if (uuid === '') resolve();
        else if (state.startsWith('failed') || state.startsWith('cancelled'))
          this.#violations.push(`message ${uuid}: ${state}`);
        else this.#states.set(uuid, state);
      });
    });
    await Promise.race([ready, once(child, 'exit')]);
  }

  /** Hands everything over again, as a program does that does not know what was accepted. */
  async #killHost(orders: readonly HostOrder[]): Promise<void> {
    this.#hostDeaths += 1;
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
    await this.#start();
    for (const order of orders) if (!this.#isOver(order.uuid)) this.#give(order);
  }

  #agents(): readonly ProcessEntry[] {
    return processesMentioning(this.#place.home.root).filter(({ command }) => command.includes('--output-format'));
  }

  #killAgent(): void {
    if (killAgent(this.#agents(), this.#chance)) this.#agentDeaths += 1;
  }

  /** One session, two agents: what an orphan of a killed host would be. */
  #watchForTwins(): void {
    const agents = this.#agents();
    // A tool looks like its agent until it runs its own program.
    const own = agents.filter(({ parent }) => !agents.some(({ pid }) => pid === parent));
    const ids = own.map(({ command }) => /--(?:resume|session-id)=([\w-]+)/.exec(command)?.[1]);
    for (const id of new Set(ids)) {
      if (id !== undefined && ids.filter((other) => other === id).length > 1)
        this.#violations.push(`two agents drive ${id}`);
    }
  }

  async #judge(orders: readonly HostOrder[]): Promise<Finding> {
    const child = this.#child;
    if (child !== undefined) {
      child.stdin.end();
      if (child.exitCode === null) await Promise.race([once(child, 'exit'), sleep(20_000)]);
      if (child.exitCode !== 0) this.#violations.push(`the host left with ${child.exitCode ?? 'nothing in 20 s'}`);
    }
    const outbox = new OutboxFiles({ folder: join(this.#place.home.root, 'host') });
    const stored = await storedEntries(this.#place);
    for (const { id, uuid } of orders) {
      const state = await outbox.stateOf({ session: id, uuid });
      const times = stored.filter((entry) => isOf(entry, uuid)).length;
      if (state !== 'completed' || times !== 1)
        this.#violations.push(`message ${uuid} of ${id}: ${state}, in the transcript ${times} times`);
    }
    await outbox.close();
    const left = await processesLeft(this.#place.home.root);
    if (left.length > 0) this.#violations.push(`processes left: ${left.join(', ')}`);
    return {
      violations: this.#violations,
      seen: {
        'messages of real hosts': orders.length,
        'real agents killed': this.#agentDeaths,
        'real hosts killed': this.#hostDeaths,
      },
    };
  }
}

// Runs fleets under faults, and checks what must always hold: node --conditions=@hexagent/source e2e/fleet/chaos.ts --help
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireCli } from '@hexagent/testing/cli';
import { serverKinds } from '../postgres/servers.ts';
import { startDatabase, type Database } from './chaos/database.ts';
import { faults, usualFaults, type FaultKind } from './chaos/faults.ts';
import { openNetwork, type Network } from './chaos/network.ts';
import { realAgents, type RealAgents } from './chaos/real-agents.ts';
import { runSeed, type ChaosResult } from './chaos/run-seed.ts';

const usage = `node --conditions=@hexagent/source e2e/fleet/chaos.ts [options]

  --seeds N      runs (default 50)
  --from N       the first seed (default 1)
  --sessions N   chats in each run (default 200)
  --messages N   messages in each run (default 600)
  --faults N     faults in each run (default 8)
  --kinds NAMES  which ones are drawn, of ${Object.keys(faults).join(', ')}
                 (default ${[...new Set(usualFaults)].join(', ')})
  --every MS     about how long after a fault the next one begins (default 4000)
  --real         agents are the real CLI, with a scripted model; then nothing is cut
  --clocks H,H,H how many hours the clock of each worker is off (default 0,0,0)
  --evidence F   a file for what is known of a run in which something is wrong
  --help`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    seeds: { ...text, default: '50' },
    from: { ...text, default: '1' },
    sessions: { ...text, default: '200' },
    messages: { ...text, default: '600' },
    faults: { ...text, default: '8' },
    kinds: text,
    every: { ...text, default: '4000' },
    clocks: { ...text, default: '0,0,0' },
    real: { type: 'boolean', default: false },
    evidence: text,
    help: { type: 'boolean', default: false },
  },
});

function numberOf(name: 'seeds' | 'from' | 'sessions' | 'messages' | 'faults' | 'every'): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) throw new TypeError(`--${name} must be a whole number.\n\n${usage}`);
  return number;
}

function kinds(): readonly FaultKind[] | undefined {
  return values.kinds?.split(',').map((name) => {
    if (!Object.hasOwn(faults, name)) throw new TypeError(`There is no fault ${name}.\n\n${usage}`);
    return name as FaultKind; // it is one of its names
  });
}

/** How long each process did not get on that was not stopped meanwhile. */
const stallsOf = ({ faults, evidence }: ChaosResult): readonly number[] =>
  evidence.stalls
    .filter(
      ({ name, from, until }) =>
        !faults.some((each) => each.names.includes(name) && each.from < until && each.until > from),
    )
    .map(({ from, until }) => Math.round(until - from));

function tell(result: ChaosResult): void {
  const { seed, violations, faults, takeovers, answers, repeated, asked } = result;
  const stalls = stallsOf(result);
  const alone = takeovers.filter(({ isAlone }) => isAlone).map(({ ms }) => Math.round(ms));
  const all = takeovers.map(({ ms }) => Math.round(ms));
  console.log(`seed ${seed}: ${violations.length} violations; ${faults.map(({ kind }) => kind).join(', ')}`);
  console.log(`  begun again ${repeated}; asked ${asked}; ${[...answers].map((each) => each.join(': ')).join(', ')}`);
  if (all.length > 0)
    console.log(
      `  ${all.length} takeovers of at most ${Math.max(...all)} ms, ${alone.length} undisturbed of at most ${Math.max(0, ...alone)} ms`,
    );
  if (stalls.length > 0)
    console.log(`  processes did not get on ${stalls.length} times, for ${Math.max(...stalls)} ms at most`);
  for (const each of violations.slice(0, 20)) console.log(`  ! ${each}`);
}

const listed = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

async function runAll(server: Database, network: Network | undefined, real: RealAgents | undefined): Promise<void> {
  if (network === undefined) console.log('Nothing is cut: SKIPPED, that needs root and network namespaces.');
  let bad = 0;
  const [from, seeds, messages, count, everyMs] = [
    numberOf('from'),
    numberOf('seeds'),
    numberOf('messages'),
    numberOf('faults'),
    numberOf('every'),
  ];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(seed, {
      server,
      network,
      real,
      sessions: numberOf('sessions'),
      messages,
      kinds: kinds(),
      faults: count,
      everyMs,
      withinMs: 120_000 + messages * 20,
      clocksOffMs: values.clocks.split(',').map((hours) => Number(hours) * 3_600_000),
    });
    tell(result);
    if (result.violations.length === 0) continue;
    bad += 1;
    if (values.evidence !== undefined)
      writeFileSync(`${values.evidence}-${seed}.json`, JSON.stringify(result.evidence, listed));
  }
  console.log(`${seeds} seeds from ${from}: ${bad} with violations.`);
  if (bad > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  // What is made in the system is removed when the process exits.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  const [kind] = serverKinds;
  if (kind === undefined) throw new TypeError('There is no PostgreSQL here.');
  const cli = values.real ? requireCli({ from: import.meta.url }) : undefined;
  if (values.real && cli === undefined) return console.log('SKIPPED: there is no CLI for this platform.');
  // The model listens at 127.0.0.1, which each namespace has for itself.
  using network = cli === undefined ? openNetwork() : undefined;
  await using server = await startDatabase(kind, network);
  await using real = cli === undefined ? undefined : await realAgents(cli);
  await runAll(server, network, real);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error);
  process.exitCode = 1;
}

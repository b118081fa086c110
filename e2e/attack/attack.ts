// pnpm attack: runs programs against agents with every fault we know, and checks what must always hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireCli } from '@hexagent/testing/cli';
import { callbackPlaces } from './callback-places.ts';
import type { Outcome, Task } from './worker.ts';
import { runTasks } from './workers.ts';

const usage = `pnpm attack [options]

  --seeds N     runs with a scripted agent (default 200)
  --real N      runs with the real CLI and a scripted model (default 10)
  --options N   wrong options of the drop-in (default 200)
  --deaths N    deaths of programs, agents and watchdogs (default 10)
  --hosted N    pairs of hosts with 200 sessions, whose agents and processes are killed (default 5)
  --hosts N     processes with ten sessions of the real CLI, killed at random with their agents (default 2)
  --chats N     chats with two pages each, which come and go, stop and answer while agents are killed (default 3)
                and --chats-each N: how many chats there are in each run (default 200)
  --servers N   servers of chats over files, killed with their agents while pages use them (default 3)
                and --servers-each N: how many chats there are in each run (default 20)
  --shell N     batches of shell commands that hide a program, run by Bash and dash beside the policy (default 10)
                and --shell-each N: how many commands there are in each batch (default 200)
  --only NAMES  seeds, real, options, deaths, callbacks, hosted, hosts, chats, servers, shell: only these
  --from N      the first seed (default 1)
  --jobs N      processes at a time (default 2)
  --help

Each run is decided by its seed alone, and every violation says how to repeat its run.`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    real: { type: 'string', default: '10' },
    options: { type: 'string', default: '200' },
    deaths: { type: 'string', default: '10' },
    hosted: { type: 'string', default: '5' },
    hosts: { type: 'string', default: '2' },
    chats: { type: 'string', default: '3' },
    'chats-each': { type: 'string', default: '200' },
    servers: { type: 'string', default: '3' },
    'servers-each': { type: 'string', default: '20' },
    shell: { type: 'string', default: '10' },
    'shell-each': { type: 'string', default: '200' },
    only: { type: 'string' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

type Part = Exclude<Task['part'], 'callbacks'>;
type Numbered = Part | 'chats-each' | 'servers-each' | 'shell-each' | 'from' | 'jobs';

function numberOf(name: Numbered): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) throw new TypeError(`--${name} must be a whole number.\n\n${usage}`);
  return number;
}

const counts: Readonly<Record<Task['part'], number>> = {
  seeds: numberOf('seeds'),
  real: numberOf('real'),
  options: numberOf('options'),
  deaths: numberOf('deaths'),
  hosted: numberOf('hosted'),
  hosts: numberOf('hosts'),
  chats: numberOf('chats'),
  servers: numberOf('servers'),
  shell: numberOf('shell'),
  // One for each place, with all that can be done there.
  callbacks: callbackPlaces.length,
};
const parts = [
  'seeds',
  'real',
  'options',
  'deaths',
  'callbacks',
  'hosted',
  'hosts',
  'chats',
  'servers',
  'shell',
] as const satisfies readonly Task['part'][];

function tasks(): readonly Task[] {
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !parts.some((part) => part === name));
  if (unknown !== undefined) throw new TypeError(`There is no part ${unknown}.\n\n${usage}`);
  const from = numberOf('from');
  const sizes: Partial<Record<Task['part'], number>> = {
    chats: numberOf('chats-each'),
    servers: numberOf('servers-each'),
    shell: numberOf('shell-each'),
  };
  return parts
    .filter((part) => only?.includes(part) ?? true)
    .flatMap((part) =>
      Array.from({ length: counts[part] }, (_, index) => ({
        part,
        seed: part === 'callbacks' ? index + 1 : from + index,
        ...(sizes[part] !== undefined && { size: sizes[part] }),
      })),
    );
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const hasCli = requireCli({ from: import.meta.url }) !== undefined;
  if (!hasCli) console.log('real: SKIPPED, there is no CLI for this platform.');
  const planned = tasks().filter(({ part }) => hasCli || (part !== 'real' && part !== 'hosts'));
  const folder = mkdtempSync(join(tmpdir(), 'hexagent-attack-'));
  const bad: Outcome[] = [];
  const seen = new Map<string, number>();
  const began = performance.now();
  const done = (outcome: Outcome): void => {
    for (const [what, times] of Object.entries(outcome.seen ?? {})) seen.set(what, (seen.get(what) ?? 0) + times);
    if (outcome.violations.length === 0) return;
    bad.push(outcome);
    report(outcome, folder);
  };
  await runTasks(planned, { folder, jobs: numberOf('jobs'), done });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const each = parts.map((part) => `${planned.filter((task) => task.part === part).length} ${part}`).join(', ');
  console.log([...seen].map(([what, times]) => `${times} ${what}`).join(', '));
  const from = numberOf('from');
  console.log(`Seeds from ${from}, as many as runs of a part.`);
  console.log(`${planned.length} runs (${each}) in ${seconds} s, ${bad.length} with violations.`);
  if (bad.length > 0) process.exitCode = 1;
  else rmSync(folder, { recursive: true, force: true });
}

function report({ part, seed, size, violations }: Outcome, folder: string): void {
  console.log(`\n${part} ${seed}`);
  for (const violation of violations) console.log(`  ${violation}`);
  if (part === 'seeds') console.log(`  its plan and its log are in ${join(folder, `seeds-${seed}`)}`);
  console.log(
    `  again: pnpm attack --only ${part} --from ${seed}${part === 'callbacks' ? '' : ` --${part} 1`}${size === undefined ? '' : ` --${part}-each ${size}`}`,
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof TypeError ? error.message : error);
  process.exitCode = 1;
}

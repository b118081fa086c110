import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Every import of a package yields the version of it in this folder. */
function withVersion(name: string, folder: string): readonly string[] {
  const hook = new URL('scripts/other-version.mjs', import.meta.url);
  hook.searchParams.set(name, fileURLToPath(new URL(folder, import.meta.url)));
  return ['--import', hook.href];
}

// `pnpm canary` compares with a version of the official package that lies in this folder.
const official = process.env['HEXAGENT_OFFICIAL'];
const otherOfficial = official ? withVersion('@anthropic-ai/claude-agent-sdk', pathToFileURL(official).href) : [];

interface Group {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly isolate?: boolean;
  readonly maxWorkers?: number;
  readonly execArgv?: readonly string[];
  readonly globalSetup?: string;
}

/** Tests of the packages without a whole agent. Those that start processes or take longer than a second are named deep. */
const ofPackages: Readonly<Record<string, Group>> = {
  // In one module graph for each worker: loading takes longer than the tests. What needs modules of its own is named deep.
  unit: { include: ['packages/**/*.test.ts'], exclude: ['**/*.deep.test.ts'], isolate: false },
  deep: { include: ['packages/**/*.deep.test.ts'] },
  architecture: { include: ['scripts/test/**/*.test.ts'] },
};

/** What a package does with the MCP SDK, run with the oldest version of it that the package accepts as its peer. */
const withOlderMcpSdk = (version: string, folder: string, tests: string): Group => ({
  include: [`packages/adapters/${folder}/test/{${tests}}.test.ts`],
  execArgv: withVersion('@modelcontextprotocol/sdk', `e2e/node_modules/mcp-sdk-${version}`),
});

const older: Readonly<Record<string, Group>> = {
  'older-mcp-sdk-126': withOlderMcpSdk('126', 'mcp-sdk-server', 'contract,instance,sessions'),
  'older-mcp-sdk-132': withOlderMcpSdk(
    '132',
    'mcp-client',
    'connecting,contract.deep,odd-answers.deep,reaching,reconnecting.deep,signing-in.deep',
  ),
  'older-cli': { include: ['e2e/canary/**/*.test.ts'] },
};

const smoke = 'e2e/**/smoke.test.ts';
const inRoom = (...rooms: readonly string[]): readonly string[] => rooms.map((room) => `e2e/${room}/**/*.test.ts`);
const deepRooms: Readonly<Record<string, Group>> = {
  differential: { include: inRoom('differential') },
  attack: { include: inRoom('attack') },
  recordings: { include: inRoom('recordings') },
  // Builds, packs and installs.
  packed: { include: inRoom('types', 'packed'), globalSetup: 'e2e/packed/set-up.ts' },
  browser: { include: inRoom('browser'), exclude: [smoke] },
  // Over a PostgreSQL of the system and one that npm brings.
  postgres: { include: inRoom('postgres'), globalSetup: 'e2e/postgres/set-up.ts' },
  // Workers, gateways and a database in processes of their own.
  fleet: { include: inRoom('fleet'), globalSetup: 'e2e/postgres/set-up.ts' },
  // Counts what is left behind: nothing else may run beside it.
  soak: { include: inRoom('soak'), maxWorkers: 1 },
};
/** What they measure in real time is spoilt by whatever runs beside them. */
const timed = ['e2e/tools/running-output.test.ts'];
const elsewhere = [...Object.values(deepRooms).flatMap(({ include }) => include), ...inRoom('canary'), smoke];

/** The whole stack with the real CLI: what each room promises once, and all else in the other rooms. */
const ofStack: Readonly<Record<string, Group>> = {
  smoke: { include: [smoke], isolate: false },
  // In one module graph for each worker: a file takes a second to load. Three at a time on two cores: each waits now and then.
  cli: {
    include: ['e2e/**/*.test.ts'],
    exclude: [...elsewhere, ...timed],
    isolate: false,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
  'cli-timed': { include: timed, maxWorkers: 1 },
  ...deepRooms,
};

const project = ([name, group]: readonly [string, Group], groupOrder: number) => ({
  extends: true as const,
  test: {
    ...group,
    name,
    include: [...group.include],
    exclude: [...(group.exclude ?? []), '**/node_modules/**'],
    // What a test warns of on purpose is read by it, and is noise in the output.
    execArgv: ['--no-warnings', ...(group.execArgv ?? []), ...otherOfficial],
    // One group after the other: whoever starts real processes has the machine to himself.
    sequence: { groupOrder },
  },
});

export default defineConfig({
  // Tests run from sources.
  ssr: { resolve: { conditions: ['@hexagent/source'] } },
  test: {
    maxWorkers: '100%',
    // No test keeps anything in the home of whoever runs it: what asks for no folder fails.
    env: { XDG_STATE_HOME: '/dev/null/none' },
    // Upper bounds for a busy machine and real processes; never something that a passing test waits for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One more try in CI; a test that needs it is listed as flaky by `scripts/check.mjs`.
    retry: process.env['CI'] ? 1 : 0,
    // A line for each file, and what failed. `--reporter=tree` prints all of it.
    slowTestThreshold: 20_000,
    silent: 'passed-only',
    benchmark: { include: [] },
    projects: Object.entries({ ...ofPackages, ...older, ...ofStack }).map(project),
  },
});

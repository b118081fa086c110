// Installs by one line, as strangers do it: the file of the SDK or of the drop-in, by each package manager, with a registry
// that has nothing of ours, on each Node. The CLI is the one that this line brings.
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { packOneFiles } from '../../scripts/tarballs.mjs';
import { startRegistry, type Registry } from '../support/local-registry.ts';
import { otherRuntimes } from '../support/other-runtimes.ts';
import { compilers, compiling } from './compilers.ts';
import { ForeignProject } from './foreign-project.ts';
import { run } from './run.ts';
import { build, fixture, official, strangers } from './strangers.ts';

interface Manager {
  readonly name: string;
  /** The command that installs this one line. */
  install(spec: string): readonly string[];
  /** Whether the line must begin with the name of the package. */
  readonly needsName?: boolean;
  /** What a program is then started with. */
  readonly start: readonly string[];
}

const sdk = '@hexagent/sdk';
const chat = '@hexagent/chat';
const dropIn = '@hexagent/claude-agent-sdk';
const doors = [sdk, `${sdk}/claude-agent-sdk`];
const { tarballs, nodes } = inject('packed');
const ofTests = (name: string, file: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);

let folder: string;
let registry: Registry;
let project: ForeignProject;
let files: readonly { readonly name: string; readonly file: string }[];
const fileOf = (name: string): string => files.find((one) => one.name === name)!.file;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexagent-one-line-'));
  const packed = [sdk, chat, dropIn, '@hexagent/testing', '@hexagent/cli-transport'];
  files = packOneFiles(tarballs, join(folder, 'files'), packed);
  registry = await startRegistry(strangers(folder));
  project = new ForeignProject({ folder, registry: registry.url });
  return async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

const newest = [nodes.at(-1)?.executable ?? ''];
const yarn4 = ofTests('yarn-4', 'bin/yarn.js');
const npms: readonly Manager[] = nodes.map(({ version, executable }, index) => {
  const line = index < 2 ? 10 : 12;
  const npm = ofTests(`npm-${line}`, 'bin/npm-cli.js');
  const install = (spec: string) => [
    executable,
    npm,
    'install',
    spec,
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
  ];
  return { name: `npm ${line} on Node ${version}`, install, start: [executable] };
});
const npm = npms[0]!;
const pnpm: Manager = { name: 'pnpm', install: (spec) => ['pnpm', 'add', spec, ...project.ofPnpm], start: newest };
const others: readonly Manager[] = [
  pnpm,
  {
    name: 'Yarn 1',
    // As root it has a cache outside of the home.
    install: (spec) => [
      process.execPath,
      ofTests('yarn-1', 'bin/yarn.js'),
      'add',
      spec,
      '--cache-folder',
      '../yarn-cache',
    ],
    needsName: true,
    start: newest,
  },
  {
    name: 'Yarn 4',
    install: (spec) => [process.execPath, yarn4, 'add', spec],
    needsName: true,
    start: [process.execPath, yarn4, 'node'],
  },
  ...otherRuntimes()
    .filter(({ name, executable }) => name === 'Bun' && executable !== undefined)
    .map(({ name, executable = '' }) => ({
      name,
      install: (spec: string) => [executable, 'add', spec],
      start: newest,
    })),
];

function start(name: string): void {
  project.start(name.replaceAll(/\W+/gu, '-'), fixture('one-line'), {});
  const quickstart = new URL('../../examples/quickstart/quickstart.mjs', import.meta.url);
  copyFileSync(fileURLToPath(quickstart), join(project.cwd, 'quickstart.mjs'));
  project.write('yarn.lock', '');
  const settings = { npmRegistryServer: registry.url, unsafeHttpWhitelist: ['127.0.0.1'], enableTelemetry: false };
  project.write('.yarnrc.yml', JSON.stringify(settings));
}

const execute = ([command = '', ...args]: readonly string[]) => project.runToEnd(command, ...args);

/** Adds one line to the manifest, and prints no warning. */
async function install(manager: Manager, name: string, alias?: string): Promise<void> {
  const isNamed = alias !== undefined || manager.needsName === true;
  const spec = isNamed ? `${alias ?? name}@file:${fileOf(name)}` : fileOf(name);
  const { stdout, stderr } = await execute(manager.install(spec));
  const { dependencies } = JSON.parse(project.read('package.json')) as { readonly dependencies: object };
  expect(Object.keys(dependencies)).toEqual([alias ?? name]);
  expect(stdout + stderr).not.toMatch(/EBADENGINE|npm warn/iu);
}

/**
 * Runs a program beside the scripted model, with nothing in its environment that names a CLI. The one that answers must be
 * that of the official package.
 */
async function answers(...[command = '', ...args]: readonly string[]): Promise<void> {
  const ran = join(folder, 'ran');
  rmSync(ran, { force: true });
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(['42'])]);
  try {
    expect(await run(command, args, { cwd: project.cwd, env: hermeticEnv({ loopback, home }) })).toMatch(/^42$/mu);
  } finally {
    await loopback.close();
    await home.remove();
  }
  expect([...new Set(readFileSync(ran, 'utf8').trim().split('\n'))]).toEqual([`${official}-${build}`]);
}

// What stands for the CLI's package is a shell script.
describe.skipIf(process.platform === 'win32')('One line', () => {
  it.each([...npms, ...others])('installs everything, with $name', async (manager) => {
    start(`sdk ${manager.name}`);
    await install(manager, sdk);
    await execute([...manager.start, 'doors.cjs', ...doors]);
    await answers(...manager.start, 'quickstart.mjs');
  });

  it.each([npm, ...others])('installs the door for servers, with $name', async (manager) => {
    start(`chat ${manager.name}`);
    await install(manager, chat);
    await execute([...manager.start, 'doors.cjs', chat]);
    await answers(...manager.start, 'chat.mjs');
    // Yarn 4 has no folder of commands.
    if (manager.name !== 'Yarn 4') await execute(['node_modules/.bin/hexagent', 'help']);
  });

  it.each([npm, ...others])('installs the drop-in under the official name, with $name', async (manager) => {
    start(`drop-in ${manager.name}`);
    await install(manager, dropIn, official);
    await execute([...manager.start, 'doors.cjs', official, `${official}/core`]);
    await answers(...manager.start, 'ask.mjs', official);
  });

  it.each([npm, pnpm])(
    'brings the CLI that is used, also beside @anthropic-ai/claude-code, with $name',
    async (manager) => {
      start(`both ${manager.name}`);
      await execute(manager.install(fileOf(sdk)));
      await execute(manager.install('@anthropic-ai/claude-code'));
      await answers(...manager.start, 'quickstart.mjs');
    },
  );

  it('is an override for a library that npm installs', async () => {
    start('override npm');
    project.add({ dependencies: { 'peering-library': '*' }, overrides: { [official]: `$${official}` } });
    await execute(npm.install(`${official}@file:${fileOf(dropIn)}`));
    await answers(...npm.start, 'ask.mjs', 'peering-library');
  });

  it('is an override for a library that pnpm installs', async () => {
    start('override pnpm');
    project.write('pnpm-workspace.yaml', `overrides:\n  '${official}': 'file:${fileOf(dropIn)}'\n`);
    await execute(pnpm.install('asking-library'));
    await answers(...pnpm.start, 'ask.mjs', 'asking-library');
  });

  it('brings one CLI for the SDK, the door for servers, the drop-in and the doubles', async () => {
    start('one CLI');
    await project.npm('install', ...files.map(({ file }) => file));
    expect(globSync('**/claude', { cwd: join(project.cwd, 'node_modules') })).toHaveLength(1);
  });

  it.each([compilers[0]!, compilers.at(-1)!])('brings every type, for TypeScript $version', async (compiler) => {
    await project.run(process.execPath, ...compiling(compiler, 'parts.mts'));
  });

  it('brings a part that works in the SDK, from a file of its own', async () => {
    await project.run(process.execPath, 'parts.mts');
  });
});

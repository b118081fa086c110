// pnpm canary: installs another version of the official package and of the CLI, prints what is not as in the one that we
// follow, and what ours lacks.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { official } from '../types/facade.ts';
import { behaviourChanges } from './behaviour.ts';
import { install, installCli, installed } from './install.ts';
import { lackingInOurs } from './lacking.ts';
import { lackingWith, outcomeWith } from './probing.ts';
import { runSuites } from './suites.ts';
import { entryChanges, nameChanges, typeChanges } from './surface.ts';
import { page, versionsPage } from './versions-page.ts';
import { file, readVersions, type VersionOutcome } from './versions.ts';

const usage = `pnpm canary [version] [options]

Installs this version of ${official} (default latest) and its CLI into a temporary folder, beside the
one that the tests here compare with. Prints what changed, and ends in a list of what ours lacks. The exit code is 1 if that is anything.

  --steps NAMES     only these: surface (entries, names, types), values (what the CLI gets for each option, in its
                    command line, environment and input), probes (both faces with the new CLI), tests (types, the
                    comparison, callbacks, methods, recordings, and programs with the new CLI). Default all
  --options NAMES   tries only these options, separated by commas; none with an empty text
  --probes NAMES    tries only these things with the new CLI, by the names that the list at the end has
  --tests FILES     runs only these tests, by their paths in e2e
  --versions LIST   instead: tries both faces with these versions of the CLI (${readVersions()
    .map(({ version }) => version)
    .join(',')} if empty), and writes docs/versions.md
  --help

The packages come from the registry of npm, as npm_config_registry or .npmrc name it. But for --versions nothing is written into this
repository.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: 'surface,values,probes,tests' },
    options: { type: 'string' },
    probes: { type: 'string' },
    tests: { type: 'string' },
    versions: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function compare(version: string, folder: string): Promise<readonly string[]> {
  const steps = values.steps.split(',');
  const before = await installed(dirname(fileURLToPath(import.meta.resolve(official))));
  const after = await install(version, folder);
  console.log(`${official}: ${before.version} → ${after.version}`);
  const lacking: string[] = [];
  if (steps.includes('surface')) {
    print('Entries', entryChanges(before, after));
    print('Names at run time', await nameChanges(before, after));
    print('Types', typeChanges(before, after));
    lacking.push(...(await lackingInOurs(before, after)));
  }
  if (steps.includes('values')) {
    const { count, lines } = await behaviourChanges(before, after, values.options?.split(','));
    print(`What the CLI gets and the program receives, for ${count} values of options`, lines);
  }
  if (!steps.includes('probes') && !steps.includes('tests')) return lacking;
  const cli = await newCli(after.version, folder);
  if (cli === undefined) lacking.push(`the CLI of ${after.version}: there is none for this system`);
  if (steps.includes('probes') && cli !== undefined) {
    const found = lackingWith(await outcomeWith(cli, after.version, values.probes?.split(',')));
    print('What ours lacks with the new CLI', found, 'nothing');
    lacking.push(...found);
  }
  if (steps.includes('tests')) {
    const { count, failed } = await runSuites(after.folder, cli, values.tests?.split(','));
    print(`Of ${count} tests with the new version, these fail`, failed, 'none');
    lacking.push(...failed);
  }
  return lacking;
}

async function newCli(version: string, folder: string): Promise<string | undefined> {
  const own = join(folder, `cli-${version}`);
  await mkdir(own);
  return await installCli(version, own);
}

/** Tries both faces with each version of the CLI; the package that brings it has the same last number. */
async function tryVersions(list: string, folder: string): Promise<void> {
  const versions = list === '' ? readVersions().map(({ version }) => version) : list.split(',');
  const outcomes: VersionOutcome[] = [];
  for (const version of versions) {
    const cli = await newCli(version.replace(/^2\.1\./u, '0.3.'), folder);
    if (cli === undefined) throw new Error(`npm could not install the CLI ${version} for this system.`);
    const outcome = await outcomeWith(cli, version);
    outcomes.push(outcome);
    print(version, lackingWith(outcome), 'everything works');
  }
  await writeFile(file, `${JSON.stringify(outcomes, null, 2)}\n`);
  await writeFile(page, versionsPage(outcomes));
}

function print(title: string, lines: readonly string[], none = 'nothing changed'): void {
  console.log(`\n${title}: ${lines.length === 0 ? none : ''}`.trimEnd());
  for (const line of lines) console.log(`  ${line.replaceAll('\n', '\n  ')}`);
}

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'canary-'));
  try {
    if (values.versions !== undefined) {
      await tryVersions(values.versions, folder);
      return 0;
    }
    const lacking = await compare(positionals[0] ?? 'latest', folder);
    print('Lacking in ours, and what to do', lacking, 'nothing');
    return lacking.length > 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (values.help) console.log(usage);
// A version that waits for something must not keep this program.
else process.exit(await main());

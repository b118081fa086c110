// pnpm canary: installs another version of the official package and prints what is not as in the one that we follow.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { official } from '../types/facade.ts';
import { behaviourChanges } from './behaviour.ts';
import { install, installed } from './install.ts';
import { entryChanges, nameChanges, typeChanges } from './surface.ts';

const usage = `pnpm canary [version] [options]

Installs this version of ${official} (default latest) into a temporary folder, beside the one that the
tests here compare with, and prints what changed: entries, names, types, and what the CLI gets for each option.

  --options NAMES   tries only these options, separated by commas; none with an empty text
  --help

The package comes from the registry of npm, as npm_config_registry or .npmrc name it. Nothing is written into this repository.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { options: { type: 'string' }, help: { type: 'boolean', default: false } },
});

async function main(version = 'latest'): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'canary-'));
  try {
    const before = await installed(dirname(fileURLToPath(import.meta.resolve(official))));
    const after = await install(version, folder);
    console.log(`${official}: ${before.version} → ${after.version}`);
    print('Entries', entryChanges(before, after));
    print('Names at run time', await nameChanges(before, after));
    print('Types', typeChanges(before, after));
    const { count, lines } = await behaviourChanges(before, after, values.options?.split(','));
    print(`What the CLI gets and the program receives, for ${count} values of options`, lines);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function print(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length === 0 ? 'nothing changed' : ''}`.trimEnd());
  for (const line of lines) console.log(`  ${line.replaceAll('\n', '\n  ')}`);
}

if (values.help) console.log(usage);
else {
  await main(positionals[0]);
  // A version that waits for something must not keep this program.
  process.exit();
}

import { readFileSync } from 'node:fs';
import { values } from '../differential/odd-values.ts';
import type { Installed } from './install.ts';
import { declaredNames, optionsOf } from './surface.ts';

const ours = '@hexagent/claude-agent-sdk';
const textOf = (file: string): string => readFileSync(new URL(`../../packages/${file}`, import.meta.url), 'utf8');

/** What another version has and ours lacks, each with what to do. What ours lacks of the pinned one too, tests list. */
export async function lackingInOurs(before: Installed, after: Installed): Promise<readonly string[]> {
  const known = new Set(await lackingOf(before));
  return (await lackingOf(after)).filter((line) => !known.has(line));
}

const lackingOf = async (version: Installed): Promise<readonly string[]> => [
  ...lackingEntries(version),
  ...(await lackingNames(version)),
  ...lackingOptions(version),
  ...lackingTypes(version),
];

function lackingEntries({ exports }: Installed): readonly string[] {
  const own = JSON.parse(textOf('claude-agent-sdk/package.json')) as Pick<Installed, 'exports'>; // our own manifest
  const missing = Object.keys(exports).filter((entry) => !(entry in own.exports));
  return missing.map((entry) => `the entry ${entry}: add it to packages/claude-agent-sdk`);
}

/** Names at run time, and the items of lists. */
async function lackingNames(after: Installed): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const entry of ['.', './core', './browser', './bridge', './extract']) {
    const theirs = await after.load(entry).catch(() => undefined); // reported with the names
    const own = (await import(`${ours}${entry.slice(1)}`)) as Readonly<Record<string, unknown>>; // a module has names
    for (const [name, value] of Object.entries(theirs ?? {})) {
      if (!(name in own)) lines.push(`${name} of ${entry}: export it from packages/claude-agent-sdk and the drop-in`);
      else if (Array.isArray(value)) {
        const has: unknown = own[name];
        const missing = value.filter((item) => !Array.isArray(has) || !has.includes(item));
        lines.push(...missing.map((item) => `${String(item)} in ${name} of ${entry}: add it to the list`));
      }
    }
  }
  return lines;
}

function lackingOptions(after: Installed): readonly string[] {
  const missing = optionsOf(after).filter((option) => option !== 'pathToClaudeCodeExecutable' && !(option in values));
  return missing.map(
    (option) => `the option ${option}: map it in packages/adapters/official-api/src/launch-options.ts`,
  );
}

function lackingTypes(version: Installed): readonly string[] {
  const reports = ['claude-agent-sdk/api/core', 'claude-agent-sdk/api/sdk-tools', 'sdk/api/claude-agent-sdk'];
  const own = reports.map((report) => textOf(`${report}.api.md`)).join();
  const missing = declaredNames(version).filter((name) => !new RegExp(`\\b${name}\\b`).test(own));
  return missing.map((name) => `the type ${name}: add it to packages/adapters/official-api/src/types`);
}

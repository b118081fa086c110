import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatReport } from './format-report.ts';

export async function runDoctor(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } }, strict: true });
  // The door itself, not its parts: they would be loaded with the other door then.
  const { doctor } = await import('../index.ts');
  const report = await doctor();
  const sdk = versionOfSdk();
  const text =
    values.json === true
      ? `${JSON.stringify({ sdk, ...report }, null, 2)}\n`
      : `@hexagent/sdk ${sdk}\n\n${formatReport(report)}`;
  await new Promise((resolve) => process.stdout.write(text, resolve));
  const code = report.ok ? 0 : 1;
  // A check that was given up, as of a folder that does not answer, would keep this process.
  process.exit(code);
}

function versionOfSdk(): string {
  // Beside `src` and above `dist` and its chunks.
  const manifest = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  for (const file of manifest) {
    try {
      const { name, version }: { name?: string; version?: string } = JSON.parse(readFileSync(file, 'utf8'));
      if (name === '@hexagent/sdk' && version !== undefined) return version;
    } catch {
      // The next one.
    }
  }
  return 'of an unknown version';
}

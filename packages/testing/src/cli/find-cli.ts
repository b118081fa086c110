import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface FindCliOptions {
  /** From where the official SDK is resolved: a folder, or the URL of a module (`import.meta.url`). */
  readonly from: string;
  /** Default: the running process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const officialSdk = '@anthropic-ai/claude-agent-sdk';

/**
 * The real CLI: `CLAUDE_CODE_PATH` if set, else the binary in the official SDK's package for this platform.
 * @throws {Error} When `CLAUDE_CODE_PATH` names a file that does not exist: a wrong path must not look like a missing CLI.
 */
export function findCli({ from, env = process.env }: FindCliOptions): string | undefined {
  const given = env['CLAUDE_CODE_PATH'];
  if (given === undefined || given === '') return platformBinary(from);
  if (!existsSync(given)) throw new Error(`CLAUDE_CODE_PATH is ${given}, and no such file exists.`);
  return given;
}

/**
 * As `findCli`, for tests: `undefined` means that they skip, visibly; where `CI` is `true` nothing may be skipped.
 * @throws {Error} On CI, when there is no CLI.
 */
export function requireCli(options: FindCliOptions): string | undefined {
  const cli = findCli(options);
  if (cli === undefined && (options.env ?? process.env)['CI'] === 'true') {
    throw new Error(
      `No CLI for ${platformNames().join(' or ')} from ${options.from}: on CI the tests with the real CLI must run.`,
    );
  }
  return cli;
}

function platformBinary(from: string): string | undefined {
  // In pnpm's strict tree the platform package is a neighbour of the official SDK's real place, not of ours.
  const sdk = resolved(officialSdk, from.startsWith('file:') ? from : join(from, 'package.json'));
  if (sdk === undefined) return undefined;
  const executable = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return platformNames()
    .map((name) => resolved(`${officialSdk}-${name}/package.json`, sdk))
    .filter((manifest) => manifest !== undefined)
    .map((manifest) => join(dirname(manifest), executable))
    .find((path) => existsSync(path));
}

function platformNames(): readonly string[] {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return [name];
  // Both may lie side by side; only one of them can start here.
  return isMusl() ? [`${name}-musl`] : [name];
}

/** Only a process that runs on glibc reports its version. */
function isMusl(): boolean {
  const report: object = process.report.getReport();
  const header: unknown = 'header' in report ? report.header : undefined;
  return typeof header === 'object' && header !== null && !('glibcVersionRuntime' in header);
}

function resolved(request: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(request);
  } catch {
    return undefined; // not installed, which is what the caller asks
  }
}

import { existsSync } from 'node:fs';
import { findCli as search, readHostEnvironment, type CliSearch } from '@hexagent/processes';

export interface FindCliOptions {
  /** From where installed packages are searched: a folder, or the URL of a module (`import.meta.url`). */
  readonly from: string;
  /** Default: the running process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The real CLI, searched for as the SDK does it: `CLAUDE_CODE_PATH`, then what was installed as seen from `from`, then
 * `PATH`, then the usual places of installers.
 * @throws {Error} When `CLAUDE_CODE_PATH` names no file: a wrong path must not be mistaken for a missing CLI.
 */
export function findCli(options: FindCliOptions): string | undefined {
  const found = searchFrom(options);
  return 'path' in found ? found.path : undefined;
}

/**
 * As `findCli`, for tests: `undefined` means that they skip, visibly; where `CI` is `true` nothing may be skipped.
 * @throws {Error} On CI, when there is no CLI.
 */
export function requireCli(options: FindCliOptions): string | undefined {
  const found = searchFrom(options);
  if ('path' in found) return found.path;
  if ((options.env ?? process.env)['CI'] !== 'true') return undefined;
  throw new Error(`On CI the tests with the real CLI must run. ${found.message}`);
}

function searchFrom({ from, env = process.env }: FindCliOptions): CliSearch {
  const found = search(readHostEnvironment({ env, fallbackEnv: {}, resolveFrom: from }));
  const isNamed = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH'].some((name) => env[name]);
  if (!isNamed) return found;
  if (!('path' in found)) throw new Error(found.message);
  if (!existsSync(found.path)) throw new Error(`${found.through} is ${found.path}, and no such file exists.`);
  return found;
}

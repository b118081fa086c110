import { execFile } from 'node:child_process';
import { compileCache } from '../support/compile-cache.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in a folder, with our packages from their sources. */
export function runNode(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  // A test runner that runs within another one would report to that.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  return new Promise((resolve) => {
    const options = { cwd, env: { ...own, ...compileCache, NODE_OPTIONS: '--conditions=@hexagent/source', ...env } };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

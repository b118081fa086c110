import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program of this repository in the folder `env.PWD`, and resolves with what it printed. It is ended when it takes longer
 * than a minute. Rejects unless it exits with 0.
 */
export async function runProgram(
  program: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const command = ['--conditions=@hexagent/source', program, ...args];
  return await promisify(execFile)(process.execPath, command, { env, cwd: env['PWD'], timeout: 60_000 });
}

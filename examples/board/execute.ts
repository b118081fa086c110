import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface ExecuteOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
}

/** Runs a program to its end, and returns all that it printed. The official package of these programs finds the CLI by itself. */
export async function execute(program: string, { env, args = [] }: ExecuteOptions): Promise<string> {
  const options = { env, cwd: env['PWD'], timeout: 60_000 };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@hexagent/source', program, ...args],
    options,
  );
  return stdout + stderr;
}

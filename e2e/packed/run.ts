import { execFile } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a program to its end, and returns what it printed. @throws {Error} with all that it wrote, when it fails */
export const run = async (command: string, args: readonly string[], options: RunOptions): Promise<string> =>
  (await runToEnd(command, args, options)).stdout;

/** The same, with what it printed as warnings beside the rest. */
export function runToEnd(
  command: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  // On Windows these are .cmd files, which only a shell starts.
  const shell = process.platform === 'win32' && ['npm', 'pnpm'].includes(command);
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, shell, timeout: 300_000 }, (cause, stdout, stderr) => {
      if (cause === null) resolve({ stdout, stderr });
      else
        reject(new Error(`${command} ${args.join(' ')} ${cause.signal ?? cause.code}\n${stdout}${stderr}`, { cause }));
    });
  });
}

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { errorText } from '@hexagent/checks';
import { complain } from './complain.ts';

/** @returns the exit code of the command, as a shell reports it */
export async function runCommand([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(file, args, { env, stdio: 'inherit', shell: process.platform === 'win32' });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // Ctrl-C reaches the command from the terminal; only its end is awaited here.
  const wait = (): void => {};
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', wait);
  try {
    const [code, signal]: readonly [number | null, NodeJS.Signals | null] = await ended(child);
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    complain(`${file} could not be started: ${errorText(error)}`);
    return 127;
  } finally {
    process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', wait);
  }
}

const ended = (child: ReturnType<typeof spawn>): Promise<readonly [number | null, NodeJS.Signals | null]> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve([code, signal]));
  });

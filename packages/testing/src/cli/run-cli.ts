import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hermeticEnv, type HermeticEnvOptions } from './env.ts';
import { wireArgs } from './frames.ts';
import { hermeticHome, type HermeticHome } from './home.ts';
import { RunningCli, type CliRun } from './running-cli.ts';

export interface RunCliOptions {
  /** The executable, as `findCli` returns it. */
  readonly cli: string;
  readonly loopback: HermeticEnvOptions['loopback'];
  /** Default: one of its own, removed with the run. Give one to run twice in the same place, as `--resume` needs. */
  readonly home?: HermeticHome | undefined;
  /** Follow the flags of the wire. */
  readonly args?: readonly string[];
  readonly env?: HermeticEnvOptions['extra'];
  /** Default: the home's `cwd`. */
  readonly cwd?: string;
  /** Written at once; a string is written unchanged. */
  readonly stdinLines?: readonly (object | string)[];
}

/** Starts the CLI in a hermetic environment. The process is up when this resolves; its first frame comes later. */
export async function runCli(options: RunCliOptions): Promise<CliRun> {
  const home = options.home ?? (await hermeticHome());
  // Every process of this run has it in its environment, so that stop() finds all of them.
  const marker = `hexagent-run-${randomUUID()}`;
  const extra = { HEXAGENT_TEST_RUN: marker, ...options.env };
  const child = spawn(options.cli, [...wireArgs, ...(options.args ?? [])], {
    cwd: options.cwd ?? home.cwd,
    env: hermeticEnv({ loopback: options.loopback, home, extra }),
    windowsHide: true,
  });
  const run = new RunningCli({ child, home, marker, release: options.home ? undefined : home.remove });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    if (!options.home) await home.remove();
    throw new Error(`Could not start ${options.cli}.`, { cause });
  }
  for (const line of options.stdinLines ?? []) run.send(line).catch(() => {}); // a CLI that has exited reports that by `exit`
  return run;
}

import type { Connection, Launch, Transport } from '@hexagent/ports';
import { checkFolder, refuseNulIn, runProcess } from '@hexagent/processes';
import { throwIfAborted } from './aborting.ts';
import { isPlain, launchFiles } from './launch-files.ts';
import { limitsOf, type LineLimits } from './line-limits.ts';
import { findProgram } from './program.ts';
import { fixOptions, type FixedOptions, type ProgramOptions } from './program-options.ts';

export interface CliTransportOptions extends ProgramOptions {
  /** Called with each line of the agent's error stream. What it throws, or rejects with, is dropped. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /**
   * How long a line of the agent may be. A longer one, complete or not, ends the conversation with `LINE_TOO_LONG`.
   * Default 256 MB; at most the longest string of the runtime, 512 MB in Node.
   */
  readonly maxLineBytes?: number | undefined;
  /** How much of the error stream's end is kept for `Exit.stderr`. Default 16 KB. */
  readonly stderrTailBytes?: number | undefined;
}

/** Runs the agent as a child process of this one. */
export class CliTransport implements Transport {
  readonly #options: FixedOptions;
  readonly #onStderr: ((line: string) => void) | undefined;
  readonly #limits: LineLimits;

  /** @throws {TypeError} that names a wrong option. */
  constructor(options: CliTransportOptions = {}) {
    this.#limits = limitsOf(options);
    this.#options = fixOptions(options);
    this.#onStderr = options.onStderr;
  }

  async connect(launch: Launch, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Connection> {
    throwIfAborted(signal);
    // Everything that can be checked is checked before a process is started, or a file written.
    refuseNulIn(launch);
    const { args, cwd, ownFolder, configFolder, env, leftovers } = launch;
    const isPlaced = ownFolder === undefined;
    const program = findProgram(this.#options, env);
    if (isPlaced) checkFolder(cwd);
    return await runProcess({
      program,
      args: isPlain(args) && isPlaced && configFolder === undefined ? args : launchFiles(launch),
      cwd,
      worksInOwnFolder: !isPlaced,
      env,
      leftovers,
      ...this.#limits,
      onStderr: this.#onStderr,
      platform: this.#options.platform,
    });
  }
}

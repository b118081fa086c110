import { constants } from 'node:buffer';
import { checkBytes, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { refuseNulIn } from '@hexagent/processes';
import { throwIfAborted, unlessAborted } from './aborting.ts';
import { CliConnection } from './cli-connection.ts';
import { PosixEnding, WindowsEnding, type Ending } from './ending.ts';
import { writeLaunchFiles, type WrittenLaunch } from './launch-files.ts';
import { orphansOf } from './orphans.ts';
import { checkFolder } from './preflight.ts';
import { processTable, type ProcessTable } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import { ProgramFinder, type Program } from './program.ts';
import { adopt, expectWard } from './reaper.ts';
import { start, type Started } from './starting.ts';

export interface CliTransportOptions {
  /**
   * The CLI, or any program that behaves like it: a path, or a name to be found in `PATH`. A script (`.js`, `.mjs`,
   * `.ts`, …) is run by `interpreter`. Left out, the CLI is searched for. A relative path is taken from the folder in
   * which the program works when the transport is made.
   */
  readonly executable?: string | undefined;
  /** Runs scripts. Default: the Node that runs this program. */
  readonly interpreter?: string | undefined;
  /** Come before the script, or before the arguments of a program that is none. */
  readonly interpreterArgs?: readonly string[] | undefined;
  /** A folder or a module whose installed packages are searched. Default: the program's entry file, then the SDK's own. */
  readonly resolveFrom?: string | URL | undefined;
  /** Called with each line of the agent's error stream. What it throws is dropped. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /**
   * How long a line of the agent's may be. A longer one, ended or not, ends the conversation with `LINE_TOO_LONG`.
   * Default 256 MB; at most the longest string of the runtime, 512 MB in Node.
   */
  readonly maxLineBytes?: number | undefined;
  /** How much of the error stream's end is kept for `Exit.stderr`. Default 16 KB. */
  readonly stderrTailBytes?: number | undefined;
  /** For tests: behave as on another system. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** Runs the agent as a child process of this one. */
export class CliTransport implements Transport {
  readonly #finder: ProgramFinder;
  readonly #platform: NodeJS.Platform;
  readonly #table: ProcessTable;
  readonly #onStderr: ((line: string) => void) | undefined;
  readonly #maxLineBytes: number;
  readonly #stderrTailBytes: number;

  /** @throws {TypeError} for a number of bytes that makes no sense. */
  constructor(options: CliTransportOptions = {}) {
    const { maxLineBytes = 256 * 1024 * 1024, stderrTailBytes = 16 * 1024 } = options;
    checkBytes('maxLineBytes', maxLineBytes, { least: 1, most: constants.MAX_STRING_LENGTH });
    checkBytes('stderrTailBytes', stderrTailBytes);
    this.#finder = new ProgramFinder(options);
    this.#platform = options.platform ?? process.platform;
    this.#table = processTable(this.#platform);
    this.#onStderr = options.onStderr;
    this.#maxLineBytes = maxLineBytes;
    this.#stderrTailBytes = Math.floor(stderrTailBytes);
  }

  async connect(launch: Launch, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Connection> {
    throwIfAborted(signal);
    const preparing = this.#prepare(launch);
    if (this.#platform !== 'win32') expectWard();
    const { program, files } = await unlessAborted(preparing, signal, (late) => late.files.remove());
    try {
      return this.#adopt(await this.#start(program, files.args, launch), files);
    } catch (error) {
      await files.remove();
      throw error;
    }
  }

  /** Everything that can be known to fail is found out before a process is started, or a file written. */
  async #prepare(launch: Launch): Promise<{ readonly program: Program; readonly files: WrittenLaunch }> {
    refuseNulIn(launch);
    const program = this.#finder.find(launch.env);
    checkFolder(launch.cwd);
    return { program, files: await writeLaunchFiles(launch.args) };
  }

  async #start(program: Program, args: readonly string[], launch: Launch): Promise<Started> {
    try {
      return await start(program, args, { cwd: launch.cwd, env: launch.env, platform: this.#platform });
    } catch (error) {
      // It may be gone since it was checked: a second look names the cause, if there is one to name.
      this.#finder.forget();
      this.#finder.find(launch.env);
      checkFolder(launch.cwd);
      throw error;
    }
  }

  #adopt({ child, pid }: Started, files: WrittenLaunch): Connection {
    const windows = this.#platform === 'win32';
    const tree = new ProcessTree(pid, this.#table);
    const ending: Ending = windows
      ? new WindowsEnding(pid)
      : new PosixEnding(tree, () => orphansOf(pid, this.#platform));
    const release = adopt({ pid, folder: files.folder, end: () => ending.now() }, { watched: !windows });
    return new CliConnection(child, {
      ending,
      maxLineBytes: this.#maxLineBytes,
      stderrTailBytes: this.#stderrTailBytes,
      onStderr: this.#onStderr,
      onExit: () => {
        tree.rootEnded();
        return files.remove();
      },
      onGone: release,
    });
  }
}

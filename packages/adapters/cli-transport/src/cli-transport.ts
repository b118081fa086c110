import { constants } from 'node:buffer';
import { checkBytes, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { refuseNulIn } from '@hexagent/processes';
import { throwIfAborted } from './aborting.ts';
import { createMark, markVariable } from './agent-mark.ts';
import { CliConnection } from './cli-connection.ts';
import { PosixEnding, type Ending } from './ending.ts';
import { folderOfLaunch, removeLaunchFiles, writeLaunchFiles } from './launch-files.ts';
import { checkFolder } from './preflight.ts';
import { processTable, type ProcessTable } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import { ProgramFinder, type Program } from './program.ts';
import { trackAgent, type TrackedAgent } from './reaper.ts';
import { start, type Started } from './starting.ts';
import type { AgentToTrack } from './watchdog.ts';
import { WindowsEnding } from './windows-ending.ts';

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
  /** Called with each line of the agent's error stream. What it throws, or rejects with, is dropped. */
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
    // Everything that can be known to fail is found out before a process is started, or a file written.
    refuseNulIn(launch);
    const program = this.#finder.find(launch.env);
    checkFolder(launch.cwd);
    const mark = createMark(launch.env[markVariable]);
    const agent: AgentToTrack = {
      id: mark.id,
      leftovers: launch.leftovers,
      folder: folderOfLaunch(launch.args, mark.id),
    };
    const tracked = trackAgent(agent, { isWatched: this.#platform !== 'win32' });
    try {
      const marked = { ...launch, env: { ...launch.env, [markVariable]: mark.value } };
      const started = this.#start(program, writeLaunchFiles(launch.args, agent.folder), marked);
      // What runs is tracked before anybody else can do anything, such as ending this process.
      return this.#connected('pid' in started ? started : await started, agent, tracked);
    } catch (error) {
      await removeLaunchFiles(agent.folder);
      tracked.forget();
      throw error;
    }
  }

  #start(program: Program, args: readonly string[], { cwd, env }: Launch): Started | Promise<never> {
    const explain = (error: unknown): never => {
      // It may be gone since it was checked: a second look names the cause, if there is one to name.
      this.#finder.forget();
      this.#finder.find(env);
      checkFolder(cwd);
      throw error;
    };
    try {
      const started = start(program, args, { cwd, env, platform: this.#platform });
      return 'pid' in started ? started : started.catch(explain);
    } catch (error) {
      return explain(error);
    }
  }

  #connected({ child, pid }: Started, { id, leftovers, folder }: AgentToTrack, tracked: TrackedAgent): Connection {
    const tree = new ProcessTree({
      root: pid,
      id,
      table: this.#table,
      onNumberFreed: () => tracked.numberFreed(),
    });
    const ending: Ending = this.#platform === 'win32' ? new WindowsEnding(pid) : new PosixEnding(tree, leftovers);
    tracked.started({ pid, began: tree.rootBegan }, () => ending.now());
    return new CliConnection(child, {
      ending,
      maxLineBytes: this.#maxLineBytes,
      stderrTailBytes: this.#stderrTailBytes,
      onStderr: this.#onStderr,
      onFirstOutput: () => {
        if (leftovers === 'leave' || leftovers === 'wait') tracked.shellKnown(tree.rememberShell());
      },
      onExit: () => {
        tree.rootEnded();
        return removeLaunchFiles(folder);
      },
      onGone: () => tracked.forget(),
    });
  }
}

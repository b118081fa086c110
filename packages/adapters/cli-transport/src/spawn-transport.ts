import { connectSpawned, findCli, readHostEnvironment, refuseNulIn, type SpawnedProcess } from '@hexagent/processes';
import { SdkError, type Connection, type Launch, type LaunchArgument, type Transport } from '@hexagent/ports';
import { throwIfAborted } from './aborting.ts';
import type { CliTransportOptions } from './cli-transport.ts';
import { launchFiles } from './launch-files.ts';
import { limitsOf, type LineLimits } from './line-limits.ts';
import { isScript } from './program.ts';

/** The argument of a function that starts agents. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  /** The agent's whole environment. */
  readonly env: Record<string, string>;
  /** Aborts when the agent did not exit in time; `kill()` is called as well. */
  readonly signal: AbortSignal;
}

export interface SpawnTransportOptions extends Pick<
  CliTransportOptions,
  'interpreterArgs' | 'onStderr' | 'maxLineBytes' | 'stderrTailBytes'
> {
  /** Starts the agent, in a container or on another machine for instance, and returns what it started. */
  readonly spawn: (request: SpawnRequest) => SpawnedProcess;
  /** The path of the CLI where it runs; it is not searched for. Default: the CLI of this machine, else `claude`. */
  readonly executable?: string | undefined;
  /** Runs the CLI where that is a script. Default: `node`. */
  readonly interpreter?: string | undefined;
}

/**
 * Runs agents that a function of the program starts. Private files do not reach them, so what a launch would put into one
 * becomes the argument itself.
 */
export class SpawnTransport implements Transport {
  readonly #options: SpawnTransportOptions;
  readonly #limits: LineLimits;

  /** @throws {TypeError} for a number of bytes that makes no sense. */
  constructor(options: SpawnTransportOptions) {
    this.#options = options;
    this.#limits = limitsOf(options);
  }

  async connect(launch: Launch, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Connection> {
    throwIfAborted(signal);
    refuseNulIn(launch);
    const { spawn, onStderr } = this.#options;
    const command = this.#commandOf(launch);
    const termination = new AbortController();
    const { cwd, env, remove } = folderOf(launch);
    try {
      const request = { ...command, ...(cwd === undefined ? {} : { cwd }), env: { ...env } };
      return await connectSpawned(spawn({ ...request, signal: termination.signal }), {
        ...this.#limits,
        onStderr,
        onTerminate: () => termination.abort(),
        onExit: remove,
      });
    } catch (error) {
      await remove();
      throw error;
    }
  }

  #commandOf({ args, env }: Launch): Pick<SpawnRequest, 'command' | 'args'> {
    const { executable = cliOfThisMachine(env), interpreter = 'node', interpreterArgs = [] } = this.#options;
    const own = args.map(inline);
    if (isScript(executable)) return { command: interpreter, args: [...interpreterArgs, executable, ...own] };
    return { command: executable, args: [...interpreterArgs, ...own] };
  }
}

/** Folders of a launch are made here, as in the official package: the function may start the agent here too. */
function folderOf(launch: Launch): Pick<Launch, 'cwd' | 'env'> & { readonly remove: () => Promise<void> } {
  const { cwd, env, ownFolder, configFolder } = launch;
  if (ownFolder === undefined && configFolder === undefined) return { cwd, env, remove: () => Promise.resolve() };
  const files = launchFiles({ ...launch, args: [] });
  const folder = files.folder(crypto.randomUUID());
  const written = files.write(folder);
  return { cwd: ownFolder === undefined ? cwd : folder, env: written.env ?? env, remove: () => files.remove(folder) };
}

function cliOfThisMachine(env: Launch['env']): string {
  const found = findCli(readHostEnvironment({ env }));
  return 'path' in found ? found.path : 'claude';
}

/** The longest argument that Linux accepts, in bytes. */
const longestArgument = 131_071;

/** @throws {SdkError} `ARGUMENT_TOO_LONG`, where the function would fail with an error that depends on the system. */
function inline(argument: LaunchArgument): string {
  if (typeof argument === 'string') return argument;
  if ('files' in argument)
    throw new TypeError(`${argument.name}: a private folder does not reach an agent that \`spawn\` starts.`);
  const bytes = Buffer.byteLength(argument.content);
  if (bytes <= longestArgument) return argument.content;
  throw new SdkError(
    'ARGUMENT_TOO_LONG',
    `${argument.name}: ${bytes} bytes are too many for one argument, and a private file does not reach an agent that \`spawn\` starts. Give the path of a file where the agent runs.`,
  );
}

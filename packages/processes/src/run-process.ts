import type { Connection, Launch } from '@hexagent/ports';
import { PosixEnding, type Ending } from './ending.ts';
import { ProcessConnection, released } from './process-connection.ts';
import { createMark, markVariable } from './process-mark.ts';
import { processTable } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import { start, type Program, type Started } from './starting.ts';
import { trackProcess, type TrackedProcess } from './tracked-process.ts';
import { WindowsEnding } from './windows-ending.ts';

/** Private files of one process, in a folder that is removed when the process, or this one, has exited. */
export interface PrivateFiles {
  /** The folder in which they will be; `undefined` when there are none. Nothing is written yet. */
  readonly folder: (id: string) => string | undefined;
  /**
   * Writes them and returns the arguments, and the environment where they change it, at once: no abort and no exit of
   * this process comes in between.
   */
  readonly write: (folder: string | undefined) => WrittenFiles;
  /** Never rejects. */
  readonly remove: (folder: string | undefined) => Promise<void>;
}

export interface WrittenFiles {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface ProcessToRun {
  readonly program: Program;
  /** Come after those of the program. */
  readonly args: readonly string[] | PrivateFiles;
  /** The folder in which it works. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Whether it works in the folder of its private files, in place of `cwd`. */
  readonly worksInOwnFolder?: boolean | undefined;
  /** Its whole environment. One variable is added, `HEXAGENT_AGENT`, by which everything that it starts is found. */
  readonly env: Readonly<Record<string, string>>;
  /** What happens to processes that it started and that outlive it; see `Launch.leftovers`. Default `end`. */
  readonly leftovers?: Launch['leftovers'];
  /** Whether it leaves in order although its input was not ended: it ends what it started itself. Default `false`. */
  readonly leavesByItself?: boolean | undefined;
  /** A longer line, ended or not, ends the reading with `LINE_TOO_LONG`. */
  readonly maxLineBytes: number;
  /** How much of the end of its error stream is kept for `Exit.stderr`. */
  readonly stderrTailBytes: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** For tests: behave as on another system. Default: this one. */
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Starts a program and reads and writes its lines. Tracked from before the first byte is written: whatever ends this
 * process, `kill -9` included, ends the program and all that it started, and removes its private files.
 * @throws {SdkError} `AGENT_START_FAILED` or `ARGUMENT_TOO_LONG`; then nothing is left behind.
 */
export async function runProcess(options: ProcessToRun): Promise<Connection> {
  const { program, args, env, leftovers, platform = process.platform } = options;
  const files = 'write' in args ? args : undefined;
  const mark = createMark(env[markVariable]);
  const folder = files?.folder(mark.id);
  const tracked = trackProcess({ id: mark.id, leftovers, folder }, { isWatched: platform !== 'win32' });
  const removeFiles = files === undefined ? nothing : (): Promise<void> => files.remove(folder);
  try {
    const written = 'write' in args ? args.write(folder) : { args };
    const marked = { ...(written.env ?? env), [markVariable]: mark.value };
    const cwd = options.worksInOwnFolder === true ? folder : options.cwd;
    const started = start(program, written.args, { cwd, env: marked, platform });
    // A process that runs is tracked before other code can run, which may end this process.
    const running = 'pid' in started ? started : await started;
    return connect(running, options, { id: mark.id, tracked, platform, removeFiles });
  } catch (error) {
    await removeFiles();
    tracked.forget();
    throw error;
  }
}

async function nothing(): Promise<void> {}

interface Tracking {
  readonly id: string;
  readonly tracked: TrackedProcess;
  readonly platform: NodeJS.Platform;
  readonly removeFiles: () => Promise<void>;
}

function connect({ child, pid }: Started, options: ProcessToRun, tracking: Tracking): Connection {
  const { leftovers, leavesByItself, maxLineBytes, stderrTailBytes, onStderr } = options;
  const { id, tracked, platform, removeFiles } = tracking;
  const table = processTable(platform);
  const tree = new ProcessTree({ root: pid, id, table, onNumberFreed: () => tracked.numberFreed() });
  const ending: Ending = platform === 'win32' ? new WindowsEnding(pid) : new PosixEnding(tree, leftovers);
  tracked.started({ pid, began: tree.rootBegan }, () => ending.now?.());
  return new ProcessConnection(child, {
    ending,
    leavesByItself,
    maxLineBytes,
    stderrTailBytes,
    onStderr,
    // On Windows an empty write can end a read of the program, which takes it for the end of its input.
    probesInput: platform !== 'win32',
    onFirstOutput: () => {
      if (leftovers === 'leave' || leftovers === 'wait') tracked.shellKnown(tree.rememberShell());
    },
    onExit: () => {
      tree.rootEnded();
      return removeFiles();
    },
    onGone: () => tracked.forget(),
    released: () => released(child),
  });
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { AbortError, SdkError, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { CliConnection } from './cli-connection.ts';
import { PosixEnding, WindowsEnding } from './ending.ts';
import { writeLaunchFiles, type WrittenLaunch } from './launch-files.ts';
import { processTable } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import { adopt } from './reaper.ts';

export interface CliTransportOptions {
  /** The CLI, or any program that behaves like it. A script ending in `.js`, `.mjs`, `.ts`, … is run by `interpreter`. */
  readonly executable?: string | undefined;
  readonly interpreter?: string | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly resolveFrom?: string | URL | undefined;
  readonly onStderr?: ((line: string) => void) | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  readonly stderrTailBytes?: number | undefined;
}

const scriptSuffix = /\.[cm]?[jt]sx?$/;

/** Runs the agent as a child process. */
export class CliTransport implements Transport {
  readonly #options: CliTransportOptions;

  constructor(options: CliTransportOptions = {}) {
    this.#options = options;
  }

  async connect(launch: Launch, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Connection> {
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    const executable = this.#options.executable ?? launch.env['CLAUDE_CODE_PATH'] ?? process.env['CLAUDE_CODE_PATH'];
    if (executable === undefined) throw new SdkError('AGENT_NOT_FOUND', 'No executable.');
    const files = await writeLaunchFiles(launch.args);
    const command = [...(this.#options.interpreterArgs ?? []), ...files.args];
    const script = scriptSuffix.test(executable);
    const program = script ? (this.#options.interpreter ?? process.execPath) : executable;
    const args = script ? [...(this.#options.interpreterArgs ?? []), executable, ...files.args] : command;
    const child = spawn(program, args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid === undefined) {
      const [cause] = await once(child, 'error').catch((error: unknown) => [error]);
      await files.remove();
      throw new SdkError('AGENT_START_FAILED', `Could not start ${program}.`, { cause });
    }
    return this.#connection(child, child.pid, files);
  }

  #connection(child: ChildProcessWithoutNullStreams, pid: number, files: WrittenLaunch): Connection {
    const tree = new ProcessTree(pid, processTable(process.platform));
    const release = adopt({ pid, folder: files.folder, end: () => tree.signalRoot('SIGTERM') }, { watched: true });
    return new CliConnection(child, {
      ending: process.platform === 'win32' ? new WindowsEnding(pid) : new PosixEnding(tree),
      stderrTailBytes: this.#options.stderrTailBytes ?? 16 * 1024,
      onStderr: this.#options.onStderr,
      onExit: () => {
        tree.rootEnded();
        void files.remove();
      },
      onGone: release,
    });
  }
}

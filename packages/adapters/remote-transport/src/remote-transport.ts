import { constants } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { onAbort, settledWithin } from '@hexagent/async';
import { checkBytes } from '@hexagent/checks';
import { AbortError, SdkError, type Connection, type Launch, type Transport } from '@hexagent/ports';
import {
  isAbsolutePath,
  readHostEnvironment,
  refuseNulIn,
  runProcess,
  searchPath,
  systemClock,
  type PrivateFiles,
} from '@hexagent/processes';
import { farEnvironment } from './far-environment.ts';
import { endScript, farScript, folderName } from './far-script.ts';
import { Handshake } from './handshake.ts';
import type { RemoteCommand } from './remote-command.ts';
import { RemoteConnection } from './remote-connection.ts';

export interface RemoteTransportOptions {
  /** The place. */
  readonly command: RemoteCommand;
  /** Called with each line of the error streams of the agent and of the command. What it throws, or rejects with, is dropped. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** How long a line of the agent may be. A longer one ends the conversation with `LINE_TOO_LONG`. Default 256 MB. */
  readonly maxLineBytes?: number | undefined;
  /** How much of the error stream's end is kept for `Exit.stderr`. Default 16 KB. */
  readonly stderrTailBytes?: number | undefined;
}

/** How long ending an agent through a second command may take. */
const endMs = 5000;

/** Runs agents at another place, through a command that runs a shell there. */
export class RemoteTransport implements Transport {
  readonly #command: RemoteCommand;
  readonly #limits: { readonly maxLineBytes: number; readonly stderrTailBytes: number };
  readonly #onStderr: ((line: string) => void) | undefined;

  /** @throws {TypeError} for a number of bytes that makes no sense. */
  constructor({
    command,
    onStderr,
    maxLineBytes = 256 * 1024 * 1024,
    stderrTailBytes = 16 * 1024,
  }: RemoteTransportOptions) {
    checkBytes('maxLineBytes', maxLineBytes, { least: 1, most: constants.MAX_STRING_LENGTH });
    checkBytes('stderrTailBytes', stderrTailBytes);
    this.#command = command;
    this.#limits = { maxLineBytes, stderrTailBytes };
    this.#onStderr = onStderr;
  }

  async connect(launch: Launch, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Connection> {
    throwIfAborted(signal);
    refuseNulIn(launch);
    const { cli, place, connectTimeoutMs = 60_000 } = this.#command;
    const [id, token] = [newId(), newId()];
    const lastLine = `{"type":"keep_alive","id":"${token}"}`;
    const env = farEnvironment(launch.env, process.env);
    const { script, files } = farScript({ token, id, lastLine, cli: toWords(cli), env, launch });
    // What it waits for, it has waited for when it exits.
    const leftovers = launch.leftovers === 'leave' ? 'leave' : 'end';
    const local = await this.#run(this.#command.argv(id), { id, leftovers });
    const handshake = new Handshake(local, { token, place, files, timeoutMs: connectTimeoutMs });
    const stopListening = onAbort(signal, () => void local.close({ atOnce: true }));
    try {
      const { unread, frames } = await handshake.start(script);
      throwIfAborted(signal);
      return new RemoteConnection(local, { frames, unread, lastLine, endElsewhere: () => this.#endElsewhere(id) });
    } catch (error) {
      await local.close({ atOnce: true });
      throwIfAborted(signal);
      throw error;
    } finally {
      stopListening();
    }
  }

  /** @throws {SdkError} `PLACE_UNREACHABLE` for a program that is not there. */
  async #run(
    [name = '', ...args]: readonly string[],
    { id, leftovers }: { readonly id: string; readonly leftovers: 'leave' | 'end' },
  ): Promise<Connection> {
    const host = readHostEnvironment({ env: {} });
    const file = isAbsolutePath(name, host.platform) ? name : searchPath(name, host).path;
    if (file === undefined)
      throw new SdkError(
        'PLACE_UNREACHABLE',
        `There is no program ${name} in PATH (${host.env('PATH') ?? 'not set'}), which reaches ${this.#command.place}.`,
      );
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const program = { file, args };
    // At a place on this machine, what the agent left behind carries the mark of the command, too.
    const ending = { leftovers, leavesByItself: true };
    const parts = { args: sharedFolder(id), env, onStderr: this.#onStderr };
    return await runProcess({ program, ...parts, ...ending, ...this.#limits });
  }

  /** For an agent whose shell does not notice that its input has ended, because it waits until the agent reads. */
  async #endElsewhere(id: string): Promise<void> {
    const { endArgv, argv } = this.#command;
    const other = newId();
    const words = endArgv === undefined ? argv.call(this.#command, other) : endArgv.call(this.#command, id);
    const local = await this.#run(words, { id: other, leftovers: 'end' });
    if (endArgv === undefined) void local.send(endScript(id)).catch(() => {}); // its exit reports the same
    await settledWithin(endMs, local.exit, systemClock);
    await local.close({ atOnce: true });
  }
}

/**
 * The private folder of the far side, where that is a sandbox on this machine: when this process dies, the shell that would
 * remove the folder is ended, too. Elsewhere there is no such folder here.
 */
function sharedFolder(id: string): PrivateFiles {
  return {
    folder: () => `${process.env['TMPDIR'] || '/tmp'}/${folderName(id)}`,
    write: () => ({ args: [] }),
    remove: async (folder = '') => await rm(folder, { recursive: true, force: true }).catch(() => {}), // it may be another user's
  };
}

const newId = (): string => crypto.randomUUID().replaceAll('-', '');

const toWords = (cli: RemoteCommand['cli']): readonly string[] | undefined => (typeof cli === 'string' ? [cli] : cli);

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new AbortError('Aborted while the agent was being started.', { cause: signal.reason });
}

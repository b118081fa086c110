import { Readable, type Writable } from 'node:stream';
import { notify } from '@hexagent/async';
import { errorText, isRecord, kindOf } from '@hexagent/checks';
import { SdkError, type Connection } from '@hexagent/ports';
import { nextTurn, ProcessConnection, type RunningProgram } from './process-connection.ts';
import { SpawnedEnding, type Endable } from './spawned-ending.ts';

/** A program that other code has started, here or elsewhere. A `ChildProcess` with pipes is one. */
export interface SpawnedProcess extends Endable {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Read where there is one: the end of it is kept for the exit. */
  readonly stderr?: Readable | null | undefined;
  readonly exitCode: number | null;
  readonly signalCode?: NodeJS.Signals | null | undefined;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  unref?(): void;
}

export interface SpawnedOptions {
  /** A longer line, ended or not, ends the reading with `LINE_TOO_LONG`. */
  readonly maxLineBytes: number;
  /** How much of the end of its error stream is kept for `Exit.stderr`. */
  readonly stderrTailBytes: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Called when the program did not leave by itself and is asked to, for those who follow a signal of abort. */
  readonly onTerminate: () => void;
  /** The program has ended. What is made of it is waited for. */
  readonly onExit: () => Promise<void>;
}

/**
 * Reads and writes the lines of a program that other code has started. Nothing of it is tracked: its own child
 * processes, and its end when this process dies, are the responsibility of that code.
 * @throws {TypeError} for what is not a process, a promise among it.
 * @throws {SdkError} `AGENT_START_FAILED` when it reports at once that it could not be started.
 */
export async function connectSpawned(spawned: SpawnedProcess, options: SpawnedOptions): Promise<Connection> {
  checkSpawned(spawned);
  let failure: SdkError | undefined;
  spawned.on('error', (cause) => {
    failure ??= startFailed(cause);
  });
  // Node reports a program that cannot be started by then. Nothing is lost: unread data waits.
  await nextTurn();
  if (failure !== undefined) throw failure;
  const connection = new ProcessConnection(toRunningProgram(spawned), {
    ...options,
    ending: new SpawnedEnding(spawned, options.onTerminate),
    // A stream of others may show an empty write to what reads it.
    probesInput: false,
    onFirstOutput: () => {},
    onGone: () => {},
    // Streams of others need not report that they are closed.
    released: () => Promise.resolve(),
  });
  spawned.on('error', (cause) => {
    if (!hasLeft(spawned)) connection.fail(startFailed(cause));
  });
  return connection;
}

function startFailed(cause: unknown): SdkError {
  return new SdkError('AGENT_START_FAILED', `Failed to spawn Claude Code process: ${errorText(cause)}`, { cause });
}

function hasLeft({ exitCode, signalCode }: SpawnedProcess): boolean {
  return typeof exitCode === 'number' || typeof signalCode === 'string';
}

function toRunningProgram(spawned: SpawnedProcess): RunningProgram {
  const { stdin, stdout, stderr } = spawned;
  return {
    stdin,
    stdout,
    stderr: stderr ?? Readable.from([]),
    on: (event, listener) => spawned.on(event, listener),
    once(event, listener) {
      // It may have left before the listener was added.
      if (hasLeft(spawned)) queueMicrotask(() => listener(spawned.exitCode, spawned.signalCode ?? null));
      else spawned.once(event, listener);
    },
    unref: () => spawned.unref?.(),
  };
}

/** Programs without types return anything. */
function checkSpawned(spawned: unknown): void {
  if (isProcess(spawned)) return;
  notify(() => spawned); // a promise may reject, and no other code handles it
  throw new TypeError(
    `The option \`spawn\` must return a process with \`stdin\`, \`stdout\`, \`kill()\`, \`on()\` and \`once()\`, not ${kindOf(spawned)}.`,
  );
}

function isProcess(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { stdin, stdout } = value;
  const has = (object: unknown, ...methods: readonly string[]): boolean =>
    isRecord(object) && methods.every((method) => typeof object[method] === 'function');
  return has(value, 'kill', 'on', 'once') && has(stdin, 'write', 'end') && has(stdout, 'on', 'pause', 'resume');
}

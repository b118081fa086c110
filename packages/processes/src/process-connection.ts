import type { Readable, Writable } from 'node:stream';
import { SdkError, type Connection, type Exit } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { drained } from './draining.ts';
import { stages, type Ending } from './ending.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { StderrTail } from './stderr-tail.ts';
import { systemClock } from './system-clock.ts';

/** Between the end of its output and its exit a program needs a few milliseconds. */
const leavingMs = 500;
/** How long it may take to exit once it has closed its input, which the start of an orderly exit may do. */
const deafMs = 3000;
/** How long a program may be silent after a line before its input is probed. */
const silentMs = 1000;

/** A program that runs, as far as a connection needs it. A `ChildProcess` is one. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  unref(): void;
}

export interface ProcessConnectionOptions {
  readonly ending: Ending;
  /** Its exit is in order although its input was not ended. */
  readonly leavesByItself?: boolean | undefined;
  readonly maxLineBytes: number;
  readonly stderrTailBytes: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** An empty write reports whether the program still has its input, and is not visible to it. */
  readonly probesInput: boolean;
  /** Its program runs: it has written something. */
  readonly onFirstOutput: () => void;
  /** The program has ended. Resolves when its private files are removed. */
  readonly onExit: () => Promise<void>;
  /** Called when the program has ended, or cannot be ended. */
  readonly onGone: () => void;
  /** Resolves when the event loop does not hold the program any more. Called once, after its exit. */
  readonly released: () => Promise<void>;
}

export class ProcessConnection implements Connection {
  readonly exit: Promise<Exit>;
  readonly #child: RunningProgram;
  readonly #ending: Ending;
  readonly #input: LineWriter;
  readonly #output: LineReader;
  readonly #stderr: StderrTail;
  readonly #exited = new Deferred<void>();
  readonly #options: ProcessConnectionOptions;
  readonly #exit = new Deferred<Exit>();
  /** Ends the program, or what it left behind; resolves with what could not be ended. */
  #ended: Promise<readonly number[]> | undefined;
  /** When the input of the program was ended. */
  #inputEndedAt: number | undefined;
  #bytesAtSend = 0;
  #probe: NodeJS.Timeout | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(child: RunningProgram, options: ProcessConnectionOptions) {
    this.#child = child;
    this.#options = options;
    this.#ending = options.ending;
    this.#input = new LineWriter(child.stdin, () => this.#endIfDeaf());
    this.#output = new LineReader(child.stdout, options);
    this.#stderr = new StderrTail(child.stderr, { keep: options.stderrTailBytes, onLine: options.onStderr });
    this.exit = this.#exit.promise;
    child.stdout.once('data', options.onFirstOutput);
    child.stdout.once('end', () => this.#outputEnded());
    child.on('error', () => {}); // a signal that could not be sent: the program has just left
    // `exit`, not `close`: a grandchild that inherited the pipes can hold `close` back for ever.
    child.once('exit', (code, signal) => {
      const freed = options.onExit();
      this.#exited.resolve();
      clearTimeout(this.#probe);
      this.#input.abandon();
      const mayLeave = options.leavesByItself === true || this.#inputEndedAt !== undefined;
      const isOrderly = mayLeave && signal === null && (code === 0 || code === 1);
      this.#ended ??= this.#ending.sweep?.({ isOrderly });
      void this.#report({ code, signal }, freed);
    });
  }

  /** An answer of a program that has closed its output and runs on would be awaited for ever. */
  #outputEnded(): void {
    if (this.#exited.settled) return;
    const late = setTimeout(() => this.#output.end(), leavingMs);
    void this.#exited.promise.then(() => clearTimeout(late));
  }

  /** While it is silent after a line: a process that answers has read the line, and a later line would fail. */
  #probeLater(): void {
    this.#bytesAtSend = this.#output.bytes;
    if (!this.#options.probesInput) return;
    this.#probe ??= setTimeout(() => {
      this.#probe = undefined;
      if (this.#exited.settled || this.#closing !== undefined || this.#output.bytes !== this.#bytesAtSend) return;
      this.#input.probe();
      this.#probeLater();
    }, silentMs).unref();
  }

  /** The input broke. A program that runs on and is silent would be awaited for ever: it may not have read the last line. */
  #endIfDeaf(): void {
    const { bytes } = this.#output;
    const late = setTimeout(() => {
      if (this.#closing !== undefined || this.#output.bytes !== bytes) return;
      if (this.#output.isHeldBack) this.#endIfDeaf();
      else this.fail(new SdkError('CHANNEL_CLOSED', 'The agent has closed its input, so it is ended.'));
    }, deafMs).unref();
    void this.#exited.promise.then(() => clearTimeout(late));
  }

  get frames(): AsyncIterable<readonly string[]> {
    return this.#output.frames;
  }

  send(line: string): Promise<void> {
    this.#probeLater();
    return this.#input.send(line);
  }

  end(): Promise<void> {
    if (this.#inputEndedAt === undefined) this.#ending.inputEnds?.();
    this.#inputEndedAt ??= systemClock.now();
    return this.#input.end();
  }

  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Ends reading with an error. The program may still run. */
  fail(error: SdkError): void {
    this.#output.fail(error);
  }

  close({ atOnce = false }: { readonly atOnce?: boolean | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(atOnce);
    return this.#closing;
  }

  async #close(atOnce: boolean): Promise<void> {
    this.#output.discard();
    this.#input.refuse();
    if (this.#exited.settled) {
      warnIfNotEnded((await this.#ending.sweepCutOff?.()) ?? []);
    } else {
      this.#closed = true;
      const exited = this.#exited.promise;
      this.#ended = atOnce ? this.#ending.kill(exited) : this.#endInStages(exited);
      await this.#ended;
      if (!this.#exited.settled) this.#letGo();
    }
    await this.exit;
    await this.#options.released();
  }

  #endInStages(exited: Promise<void>): Promise<readonly number[]> {
    // Time to leave that it had before counts, but for the time that it has to follow a signal.
    const now = systemClock.now();
    const began = Math.max(this.#inputEndedAt ?? now, now - stages.terminate);
    return this.#ending.end(() => void this.#input.end(), exited, began);
  }

  /** Stops waiting for a program that SIGKILL did not end, or that may not be signalled. */
  #letGo(): void {
    this.#input.abandon();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    void this.#report({ code: null, signal: null }, this.#options.onExit());
    this.#child.unref();
  }

  /** Settles the exit last, when nothing is left: the caller may end this process as soon as it has the exit. */
  async #report(how: Pick<Exit, 'code' | 'signal'>, freed: Promise<void>): Promise<void> {
    const [tail, notEnded = []] = await Promise.all([this.#readEnd(), this.#ended, freed]);
    if (this.#exit.settled) return; // it was released, and has ended since
    this.#options.onGone();
    this.#exit.resolve({ ...how, closed: this.#closed, ...tail, ...(notEnded.length > 0 && { notEnded }) });
  }

  async #readEnd(): Promise<Pick<Exit, 'stderr' | 'unterminated'>> {
    this.#output.drain();
    await drained([this.#child.stdout, this.#child.stderr], () => this.#output.bytes + this.#stderr.bytes);
    const unterminated = this.#output.finish();
    return { stderr: this.#stderr.finish(), ...(unterminated === undefined ? {} : { unterminated }) };
  }
}

/** Resolves when the event loop no longer holds the pipes of a child process or the process. */
export async function released({ stdin, stdout, stderr }: RunningProgram): Promise<void> {
  await Promise.all([stdin, stdout, stderr].map(pipeReleased));
  // The loop lets go of the process itself at the end of a turn, behind what waits for the turn.
  await nextTurn();
  await nextTurn();
}

function pipeReleased(pipe: Readable | Writable): Promise<void> {
  return new Promise((resolve) => void (pipe.closed ? resolve() : pipe.once('close', resolve)));
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Warns of processes that are found after the exit was reported. Others are named in the exit. */
function warnIfNotEnded(pids: readonly number[]): void {
  if (pids.length === 0) return;
  process.emitWarning(`Of what the agent had started, these processes could not be ended: ${pids.join(', ')}.`, {
    type: 'HexagentWarning',
    code: 'HEXAGENT_AGENT_NOT_ENDED',
  });
}

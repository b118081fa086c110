import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Connection, Exit } from '@hexagent/ports';
import { Deferred } from '@hexagent/streams';
import { drained } from './draining.ts';
import type { Ending } from './ending.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { StderrTail } from './stderr-tail.ts';

export interface CliConnectionOptions {
  readonly ending: Ending;
  readonly maxLineBytes: number;
  readonly stderrTailBytes: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** The agent's process has ended. What is awaited here is done before anyone is told. */
  readonly onExit: () => Promise<void>;
  /** Nothing that it started is left either. */
  readonly onGone: () => void;
}

/** One running agent process. */
export class CliConnection implements Connection {
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ending: Ending;
  readonly #input: LineWriter;
  readonly #output: LineReader;
  readonly #stderr: StderrTail;
  readonly #exited = new Deferred<void>();
  /** The event loop holds none of its pipes any more. */
  readonly #released: Promise<unknown>;
  /** Ends the agent, or what it left behind. */
  #ended: Promise<void> | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, options: CliConnectionOptions) {
    this.#child = child;
    this.#ending = options.ending;
    this.#input = new LineWriter(child.stdin);
    this.#output = new LineReader(child.stdout, options);
    this.#stderr = new StderrTail(child.stderr, { keep: options.stderrTailBytes, onLine: options.onStderr });
    const exit = new Deferred<Exit>();
    this.exit = exit.promise;
    const pipes = [child.stdin, child.stdout, child.stderr];
    this.#released = Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.once('close', resolve))));
    child.on('error', () => {}); // a signal that could not be sent: the agent has just left
    // `exit`, not `close`: a grandchild that inherited the pipes can hold `close` back for ever.
    child.once('exit', (code, signal) => {
      const freed = options.onExit();
      this.#exited.resolve();
      this.#input.abandon();
      this.#ended ??= this.#ending.sweep({ killed: signal !== null });
      void this.#ended.then(options.onGone);
      void Promise.all([this.#lastWords(), freed]).then(([words]) => {
        exit.resolve({ code, signal, closed: this.#closed, ...words });
      });
    });
  }

  get frames(): AsyncIterable<readonly string[]> {
    return this.#output.frames;
  }

  send(line: string): Promise<void> {
    return this.#input.send(line);
  }

  end(): Promise<void> {
    return this.#input.end();
  }

  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#output.discard();
    this.#input.refuse();
    if (!this.#exited.settled) {
      this.#closed = true;
      this.#ended = this.#ending.end(() => void this.#input.end(), this.#exited.promise);
    }
    await this.#ended;
    if (this.#exited.settled) await this.exit;
    else this.#letGo();
    await this.#released;
    // The loop lets go of the process itself at the end of a turn, behind what waits for the turn.
    await nextTurn();
    await nextTurn();
  }

  /** Not even SIGKILL ended it: the system holds it, but this program need not. */
  #letGo(): void {
    this.#input.abandon();
    this.#output.finish();
    this.#stderr.finish();
    this.#child.unref();
  }

  async #lastWords(): Promise<Pick<Exit, 'stderr' | 'unterminated'>> {
    this.#output.drain();
    await drained([this.#child.stdout, this.#child.stderr], () => this.#output.bytes + this.#stderr.bytes);
    const unterminated = this.#output.finish();
    return { stderr: this.#stderr.finish(), ...(unterminated === undefined ? {} : { unterminated }) };
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

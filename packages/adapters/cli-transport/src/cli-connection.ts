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
  readonly stderrTailBytes: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** The agent has left, by itself or not; called before anything is awaited. */
  readonly onExit: () => void;
  /** Nothing of the agent is left. */
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
  /** Ends the agent, or what it left behind. */
  #ended: Promise<void> | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, options: CliConnectionOptions) {
    this.#child = child;
    this.#ending = options.ending;
    this.#input = new LineWriter(child.stdin);
    this.#output = new LineReader(child.stdout);
    this.#stderr = new StderrTail(child.stderr, { keep: options.stderrTailBytes, onLine: options.onStderr });
    const exit = new Deferred<Exit>();
    this.exit = exit.promise;
    child.on('error', () => {}); // a signal that could not be sent: the agent has just left
    // `exit`, not `close`: a grandchild that inherited the pipes can hold `close` back for ever.
    child.once('exit', (code, signal) => {
      options.onExit();
      this.#exited.resolve();
      this.#input.abandon();
      this.#ended ??= this.#ending.sweep();
      void this.#ended.then(options.onGone);
      void this.#lastWords().then((words) => exit.resolve({ code, signal, closed: this.#closed, ...words }));
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
    if (!this.#exited.settled) {
      this.#closed = true;
      void this.#input.end();
      this.#ended = this.#ending.end(this.#exited.promise);
    }
    await this.#ended;
    if (this.#exited.settled) await this.exit;
    else this.#letGo();
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

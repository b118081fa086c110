import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameLog } from './frame-log.ts';
import { answers, controlRequest, type FrameMatch, type RawFrame } from './frames.ts';
import type { HermeticHome } from './home.ts';
import { descendants, isAlive, processesMentioning, survivors } from './processes.ts';

export interface RawExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The real CLI with nothing of ours in between. */
export interface CliRun extends AsyncDisposable {
  readonly pid: number;
  readonly home: HermeticHome;
  /** Everything it wrote so far, in order. */
  readonly frames: readonly RawFrame[];
  /** Lines on stdout that were not frames. */
  readonly otherLines: readonly string[];
  readonly stderr: string;
  /** How it left, after its output was read. Never rejects. */
  readonly exit: Promise<RawExit>;
  /** The first frame that matches and was not handed out before, come or to come. Rejects when the CLI ends without it. */
  frame(match: FrameMatch): Promise<RawFrame>;
  /** Writes one line; a string goes out as it is. Rejects when the CLI no longer reads. */
  send(frame: object | string): Promise<void>;
  /** Sends a control request and resolves with the whole frame that answers it. */
  request(subtype: string, payload?: object): Promise<RawFrame>;
  /** Closes stdin, the normal way to end. */
  end(): void;
  /** Ends it and everything it started, by force if need be, and removes a home of its own. Safe to call twice. */
  stop(): Promise<void>;
}

interface Parts {
  readonly child: ChildProcessWithoutNullStreams;
  readonly home: HermeticHome;
  readonly marker: string;
  /** Called once everything has ended. */
  readonly release: (() => Promise<void>) | undefined;
}

// After the exit, the pipes may still contain output, and a child of the process may hold them open for ever.
const drainBoundMs = 500;
const gentleEndMs = 1000;

export class RunningCli implements CliRun {
  readonly exit: Promise<RawExit>;
  readonly #parts: Parts;
  readonly #log = new FrameLog();
  #stderr = '';
  #requests = 0;
  #stopped: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { child } = parts;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#log.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.#stderr += chunk));
    child.stdin.on('error', () => {}); // the callback of each write receives it
    child.on('error', () => {}); // a failed start rejects `runCli`
    this.exit = this.#exit();
  }

  get pid(): number {
    return this.#parts.child.pid ?? -1; // only a process that never started has none, and `runCli` rejected for it
  }

  get home(): HermeticHome {
    return this.#parts.home;
  }

  get frames(): readonly RawFrame[] {
    return this.#log.frames;
  }

  get otherLines(): readonly string[] {
    return this.#log.otherLines;
  }

  get stderr(): string {
    return this.#stderr;
  }

  frame(match: FrameMatch): Promise<RawFrame> {
    return this.#log.take(match);
  }

  send(frame: object | string): Promise<void> {
    const line = typeof frame === 'string' ? frame : JSON.stringify(frame);
    return new Promise((resolve, reject) => {
      this.#parts.child.stdin.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async request(subtype: string, payload: object = {}): Promise<RawFrame> {
    this.#requests += 1;
    const id = `test-${this.#requests}`;
    const answer = this.frame(answers(id));
    answer.catch(() => {}); // awaited below; until then its rejection must not be unhandled
    await this.send(controlRequest(id, subtype, payload));
    return await answer;
  }

  end(): void {
    this.#parts.child.stdin.end();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #exit(): Promise<RawExit> {
    const { child } = this.#parts;
    return new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const settle = (): void => {
          clearTimeout(bound);
          this.#log.end(
            `the CLI ended with ${signal ?? code}.${this.#stderr === '' ? '' : ` stderr: ${this.#stderr.slice(-500)}`}`,
          );
          resolve({ code, signal, stderr: this.#stderr });
        };
        const bound = setTimeout(settle, drainBoundMs);
        child.once('close', settle);
      });
    });
  }

  async #stop(): Promise<void> {
    const { child, marker, release } = this.#parts;
    // Listed first: the CLI starts each Bash tool in a session of its own, which cannot be found after its exit.
    const running = child.exitCode === null && child.signalCode === null;
    const tree = running ? [this.pid, ...descendants(this.pid)] : []; // a pid may belong to another process after the exit
    child.stdin.destroy();
    child.kill('SIGTERM');
    await Promise.race([this.exit, sleep(gentleEndMs, undefined, { ref: false })]);
    const ours = new Set([...tree, ...processesMentioning(marker).map(({ pid }) => pid)]);
    for (const pid of ours) if (isAlive(pid)) kill(pid);
    await this.exit;
    const left = await survivors([...ours], 2000);
    if (left.length > 0) throw new Error(`Processes of a CLI run could not be ended: ${left.join(', ')}.`);
    await release?.();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself meanwhile
  }
}

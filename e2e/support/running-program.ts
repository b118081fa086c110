import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { compileCache } from './compile-cache.ts';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A command that runs another one, such as `unshare`. */
  readonly under?: readonly string[];
}

/** A program that a test types into and reads from. */
export interface RunningProgram extends AsyncDisposable {
  /** Everything it has written so far, to both streams. */
  readonly output: string;
  /** Resolves once the text has been written. @throws {Error} When the program exits without it. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
  readonly pid: number;
  /** What a shell would report. */
  readonly exitCode: Promise<number | null>;
}

/**
 * Runs Node in a terminal of its own, 80 columns wide, by `script` of util-linux: keys such as Ctrl-C mean what they mean to
 * a person.
 */
export function runInTerminal(args: readonly string[], options: ProgramOptions): RunningProgram {
  const command = `stty cols 80; exec ${[process.execPath, ...args].map(quoted).join(' ')}`;
  const env = { ...compileCache, ...options.env, TERM: 'xterm', SHELL: '/bin/sh' };
  return new Program(spawn('script', ['-qefc', command, '/dev/null'], { ...options, env }));
}

/** Runs Node with pipes instead of a terminal; its input stays empty and open. */
export function runWithPipes(args: readonly string[], options: ProgramOptions): RunningProgram {
  const [file = process.execPath, ...rest] = [...(options.under ?? []), process.execPath, ...args];
  return new Program(spawn(file, rest, { ...options, env: { ...compileCache, ...options.env } }));
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

class Program implements RunningProgram {
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #watchers = new Set<() => void>();
  output = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        this.output += piece;
        this.#notify();
      });
    child.stdin.on('error', () => {}); // it has just exited
    this.exitCode = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        resolve(code);
        this.#notify();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1; // only a program that never started has none, and `exitCode` rejected for it
  }

  shows(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = this.output.includes(text);
        if (!found && this.#child.exitCode === null) return;
        this.#watchers.delete(check);
        if (found) resolve();
        else reject(new Error(`The program exited without writing ${JSON.stringify(text)}:\n${this.output}`));
      };
      this.#watchers.add(check);
      check();
    });
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill('SIGTERM');
    await this.exitCode;
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

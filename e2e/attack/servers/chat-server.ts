import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ServerAddress } from '../chats/chat-page.ts';
import type { ServerOrder, ServerReport } from './server-program.ts';

const program = fileURLToPath(new URL('server-program.ts', import.meta.url));

/** The server of chats that lives, one after the other. */
export class ChatServer {
  readonly #order: ServerOrder;
  #child: ChildProcessWithoutNullStreams | undefined;
  #address: Promise<ServerAddress> = Promise.reject(new Error('No server was started.'));
  #lives = 0;
  #deaths = 0;
  /** The one whose exit is meant. */
  #leaving: ChildProcessWithoutNullStreams | undefined;
  /** What it wrote to its errors, and how it left. */
  readonly odd: string[] = [];
  /** The most that one of them held, of those that ended in order. */
  peakMegabytes = 0;

  constructor(order: ServerOrder) {
    this.#order = order;
    this.#address.catch(() => {});
  }

  get deaths(): number {
    return this.#deaths;
  }

  /** Of the one that lives; while none does, that of the next. */
  address(): Promise<ServerAddress> {
    return this.#address;
  }

  start(): Promise<ServerAddress> {
    const life = (this.#lives += 1);
    const args = ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
    const child = spawn(process.execPath, [...args, JSON.stringify(this.#order)], { env: {} });
    this.#child = child;
    child.stdin.on('error', () => {}); // it was killed
    child.stderr.on('data', (output: Buffer) => this.odd.push(`a server wrote: ${output.toString()}`));
    this.#address = new Promise((resolve, reject) => {
      child.once('exit', (code, signal) => {
        if (this.#leaving !== child) this.odd.push(`a server left: ${signal ?? code}`);
        reject(new Error(`A server left: ${signal ?? code}.`));
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        const report = JSON.parse(line) as ServerReport; // written by the program
        if ('port' in report) resolve({ url: `http://127.0.0.1:${report.port}/api`, life });
        else this.peakMegabytes = Math.max(this.peakMegabytes, report.peakMegabytes);
      });
    });
    return this.#address;
  }

  /** kill -9, and another one in its place. */
  async replace(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#deaths += 1;
    const next = Promise.withResolvers<ServerAddress>();
    // From now on a caller waits for the next one.
    this.#address = next.promise;
    this.#leaving = child;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const started = this.start();
    started.then(next.resolve, next.reject);
    await started;
  }

  /** Lets it end in order. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    this.#leaving = child;
    child.stdin.end();
    const waiting = new AbortController();
    const tooLate = sleep(20_000, true, { signal: waiting.signal }).catch(() => false);
    if (await Promise.race([exited.then(() => false), tooLate])) {
      this.odd.push('the server does not end');
      this.kill();
      await exited;
    } else if (child.exitCode !== 0) this.odd.push(`the server left: ${child.signalCode ?? child.exitCode}`);
    waiting.abort();
  }

  kill(): void {
    this.#leaving = this.#child;
    this.#child?.kill('SIGKILL');
  }
}

import { errorText } from '@hexagent/checks';
import type { Clock, Connection, Exit } from '@hexagent/ports';
import { attempt, Deferred, notify, settledWithin } from '@hexagent/async';

/** How long an agent that is closed, or that can send nothing more, may take to report its exit. */
const exitMs = 60_000;
/** How long closing and reading may continue after the exit. */
const cleaningMs = 5_000;

/**
 * A connection of any transport, also one that breaks its promises: what throws or rejects becomes an error or an exit,
 * and a transport that reports no end leaves no caller waiting.
 */
export class SafeConnection {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #exited = new Deferred<Exit>();
  readonly exit: Promise<Exit> = this.#exited.promise;
  #isClosed = false;
  #isExitDue = false;

  /** @throws {TypeError} for what is not a connection, naming what is missing. */
  constructor(connection: Connection, clock: Clock) {
    checkConnection(connection);
    this.#connection = connection;
    this.#clock = clock;
    attempt(() => connection.exit)
      .then(checkExit)
      .then(
        (exit) => this.#exited.resolve(exit),
        (error: unknown) => this.#loseExit(errorText(error)),
      );
  }

  /**
   * Reads to the end. Resolves too when the agent has exited and its output does not end: after the exit nothing more is
   * delivered.
   */
  read(receive: (lines: readonly string[]) => void): Promise<void> {
    return this.#unlessOverdue(attempt(() => readAll(this.#connection, receive)));
  }

  /** Awaits what should be done by the exit at the latest, and gives it up some time after. */
  async #unlessOverdue(awaited: Promise<void>): Promise<void> {
    await Promise.race([awaited, this.exit.then(() => settledWithin(cleaningMs, awaited, this.#clock))]);
  }

  send(line: string): Promise<void> {
    try {
      return Promise.resolve(this.#connection.send(line));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async end(): Promise<void> {
    // An agent that has exited is reported by its exit.
    await attempt(() => this.#connection.end()).catch(() => {});
  }

  /** Resolves when the agent has exited, or its time is over. */
  async close(options?: Parameters<Connection['close']>[0]): Promise<void> {
    this.#isClosed = true;
    void this.expectExit();
    await this.#unlessOverdue(attempt(() => this.#connection.close(options)).catch(() => {}));
  }

  /** Expects the exit from now on. Without this, a missing exit would be awaited for ever. */
  async expectExit(): Promise<void> {
    if (this.#isExitDue) return;
    this.#isExitDue = true;
    if (await settledWithin(exitMs, this.exit, this.#clock)) return;
    if (!this.#isClosed) notify(() => this.#connection.close());
    this.#isClosed = true;
    this.#loseExit(`The transport reported no exit within ${exitMs} ms.`);
  }

  pause(): void {
    notify(() => this.#connection.pause());
  }

  resume(): void {
    notify(() => this.#connection.resume());
  }

  #loseExit(why: string): void {
    this.#exited.resolve({ code: null, signal: null, stderr: why, closed: this.#isClosed });
  }
}

/** Reads by callbacks: a `for await` keeps the newest lines in memory for as long as the agent is silent. */
function readAll({ frames }: Connection, receive: (lines: readonly string[]) => void): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]();
  if (typeof iterator?.next !== 'function') {
    notify(() => iterator); // a promise in its place may reject
    throw new TypeError('The `frames` of the connection give no iterator.');
  }
  return new Promise((resolve, reject) => {
    const take = (step: IteratorResult<readonly string[]>): void => {
      if (step.done === true) return resolve();
      if (!Array.isArray(step.value)) {
        notify(() => step.value); // a promise in its place may reject
        throw new TypeError('The `frames` of the connection must be lists of lines.');
      }
      receive(step.value);
      // The promise that brought the step keeps it until a full collection, and the step would keep the lines.
      Reflect.set(step, 'value', undefined);
      next();
    };
    const next = (): void => {
      Promise.resolve(iterator.next()).then(take).catch(reject); // a thenable may call back whenever it likes
    };
    next();
  });
}

function checkExit(exit: Exit): Exit {
  if (typeof exit?.stderr !== 'string') throw new TypeError('The transport reported an exit without `stderr`.');
  return exit;
}

const methods = ['send', 'end', 'close', 'pause', 'resume'] as const;

function checkConnection(connection: unknown): asserts connection is Connection {
  if (typeof connection !== 'object' || connection === null)
    throw new TypeError(`The transport connected to ${connection === null ? 'null' : typeof connection}.`);
  for (const method of methods)
    if (typeof Reflect.get(connection, method) !== 'function')
      throw new TypeError(`The connection of the transport has no \`${method}()\`.`);
}

import { errorText, isRecord } from '@hexagent/checks';
import type { Clock, Connection, Exit } from '@hexagent/ports';
import { attempt, Inbox, notify } from '@hexagent/async';

/** How long an agent that is closed, or that can send nothing more, may take to report its exit. */
const exitMs = 60_000;
/** How long closing and reading may continue after the exit. */
const cleaningMs = 5_000;

/**
 * A connection of any transport, also one that breaks its promises: each failure becomes an error or an exit.
 * Methods that throw, reject or return garbage neither end the program nor leave anyone waiting.
 */
export class SafeConnection {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #exit: Promise<Exit>;
  #settleExit: (exit: Exit) => void = () => {};
  #isClosed = false;
  #hasExited = false;
  #stopClock: (() => void) | undefined;

  /** @throws {TypeError} for what is not a connection, naming what is missing. */
  constructor(connection: Connection, clock: Clock) {
    checkConnection(connection);
    this.#connection = connection;
    this.#clock = clock;
    this.#exit = new Promise((resolve) => {
      this.#settleExit = (exit) => {
        this.#hasExited = true;
        this.#stopClock?.();
        resolve(exit);
      };
    });
    attempt(() => connection.exit).then(
      (exit) => this.#settleExit(this.#asExit(exit)),
      (error: unknown) => this.#settleExit(this.#asExit(undefined, errorText(error))),
    );
  }

  /**
   * Reads to the end. Resolves as well when the agent has exited and the end of its output does not arrive: after the exit there is
   * nothing more to deliver.
   */
  async read(receive: (lines: readonly string[]) => void): Promise<void> {
    await this.#unlessOverdue(attempt(() => readAll(this.#iterator(), receive)));
  }

  #iterator(): AsyncIterator<readonly string[]> {
    const iterator: unknown = this.#connection.frames[Symbol.asyncIterator]();
    if (isIterator(iterator)) return iterator;
    notify(() => iterator); // a promise in its place may reject, and no other code handles it
    throw new TypeError('The `frames` of the connection give no iterator.');
  }

  /** Awaits what should be done by the exit at the latest, and gives it up some time after. */
  async #unlessOverdue(awaited: Promise<void>): Promise<void> {
    let stopClock: (() => void) | undefined;
    let isDone = false;
    const overdue = this.#exit.then(
      () =>
        new Promise<void>((resolve) => {
          if (!isDone) stopClock = this.#clock.after(cleaningMs, resolve, { keepsAlive: true });
        }),
    );
    try {
      await Promise.race([awaited, overdue]);
    } finally {
      isDone = true;
      stopClock?.();
    }
  }

  get exit(): Promise<Exit> {
    return this.#exit;
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
    this.expectExit();
    await this.#unlessOverdue(attempt(() => this.#connection.close(options)).catch(() => {}));
  }

  /** From now on the exit is due: without it the end would be awaited for ever. */
  expectExit(): void {
    // Nothing would stop the clock any more, and it would hold all of a connection that was closed after its exit.
    if (this.#hasExited) return;
    this.#stopClock ??= this.#clock.after(exitMs, () => this.#giveUp(), { keepsAlive: true });
  }

  #giveUp(): void {
    const isLeft = !this.#isClosed;
    this.#isClosed = true;
    if (isLeft) notify(() => this.#connection.close());
    this.#settleExit(this.#asExit(undefined, `The transport reported no exit within ${exitMs} ms.`));
  }

  /** Calls back after this time, unless it has exited by then. */
  afterGrace(ms: number, callback: () => void): void {
    const stopClock = this.#clock.after(ms, callback, { keepsAlive: true });
    void this.#exit.then(stopClock);
  }

  pause(): void {
    notify(() => this.#connection.pause());
  }

  resume(): void {
    notify(() => this.#connection.resume());
  }

  #asExit(exit: unknown, why = 'The transport reported an exit that is none.'): Exit {
    return readExit(exit) ?? { code: null, signal: null, stderr: why, closed: this.#isClosed };
  }
}

/**
 * Reads as a `for await` does, which would keep the newest lines in memory until there are others: for as long as the agent
 * is silent, the text of a whole read.
 */
function readAll(
  iterator: AsyncIterator<readonly string[]>,
  receive: (lines: readonly string[]) => void,
): Promise<void> {
  // Results of an inbox of ours are not shared.
  const mayClear = iterator instanceof Inbox;
  return new Promise((resolve, reject) => {
    const take = (step: IteratorResult<unknown>): void => {
      try {
        if (step.done === true) return resolve();
        const lines: unknown = step.value;
        // And what a promise resolved with stays with it. This one may have waited long, and such a promise is collected late.
        if (mayClear) Reflect.set(step, 'value', undefined);
        if (!isList(lines)) throw refused(lines);
        receive(lines);
      } catch (error) {
        return void attempt(() => iterator.return?.()).then(
          () => reject(error),
          () => reject(error),
        );
      }
      next();
    };
    const next = (): void => {
      try {
        Promise.resolve(iterator.next()).then(take, reject);
      } catch (error) {
        reject(error);
      }
    };
    next();
  });
}

function readExit(exit: unknown): Exit | undefined {
  try {
    if (!isRecord(exit)) return undefined;
    const { code, signal, stderr, closed, unterminated } = exit;
    return {
      ...exit,
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      stderr: typeof stderr === 'string' ? stderr : '',
      closed: closed === true,
      unterminated: typeof unterminated === 'string' ? unterminated : undefined,
    };
  } catch {
    return undefined; // getters that throw
  }
}

/** What the types exclude, and untyped code yields; a promise may reject, and no other code handles it. */
function refused(lines: unknown): TypeError {
  notify(() => lines);
  return new TypeError('The `frames` of the connection must be lists of lines.');
}

function isList(lines: unknown): lines is readonly string[] {
  return Array.isArray(lines);
}

function isIterator(value: unknown): value is AsyncIterator<readonly string[]> {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}

const methods = ['send', 'end', 'close', 'pause', 'resume'] as const;

function checkConnection(connection: unknown): asserts connection is Connection {
  if (typeof connection !== 'object' || connection === null)
    throw new TypeError(`The transport connected to ${connection === null ? 'null' : typeof connection}.`);
  for (const method of methods)
    if (typeof Reflect.get(connection, method) !== 'function')
      throw new TypeError(`The connection of the transport has no \`${method}()\`.`);
}

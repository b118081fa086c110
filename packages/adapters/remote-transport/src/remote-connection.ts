import { attempt, settledWithin } from '@hexagent/async';
import { SdkError, type Connection, type Exit } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';

export interface RemoteConnectionOptions {
  /** What the agent has written so far. */
  readonly unread: readonly string[];
  readonly frames: AsyncIterator<readonly string[]>;
  /** The line after which the far side ends the agent's input. */
  readonly lastLine: string;
  /** Ends the agent through a second command. */
  readonly endElsewhere: () => Promise<void>;
}

/** How long each stage of `close()` may take: leaving in order, and being ended when the input has ended. */
const [orderlyMs, killedMs] = [400, 1500];

/** A connection to an agent whose shell ends it as soon as the connection ends. */
export class RemoteConnection implements Connection {
  readonly frames: AsyncIterable<readonly string[]>;
  readonly exit: Promise<Exit>;
  readonly #local: Connection;
  readonly #options: RemoteConnectionOptions;
  #hasExited = false;
  #isClosed = false;
  #ended: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(local: Connection, options: RemoteConnectionOptions) {
    this.#local = local;
    this.#options = options;
    this.frames = { [Symbol.asyncIterator]: () => new Frames(options) };
    this.exit = local.exit.then((exit) => {
      this.#hasExited = true;
      return { ...exit, closed: this.#isClosed };
    });
  }

  send(line: string): Promise<void> {
    if (this.#ended === undefined) return this.#local.send(line);
    return Promise.reject(new SdkError('CHANNEL_CLOSED', 'Cannot send: the input of the agent was ended.'));
  }

  /** The connection stays open: its end would end the agent. */
  end(): Promise<void> {
    this.#ended ??= attempt(() => this.#local.send(this.#options.lastLine)).catch(() => {}); // it has exited
    return this.#ended;
  }

  pause(): void {
    this.#local.pause();
  }

  resume(): void {
    this.#local.resume();
  }

  close({ atOnce = false }: { readonly atOnce?: boolean | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(atOnce);
    return this.#closing;
  }

  async #close(atOnce: boolean): Promise<void> {
    this.#isClosed = !this.#hasExited;
    void this.#options.frames.return?.(); // what is unread is discarded, so that the agent can write, and exit
    if (!atOnce) {
      void this.end();
      await this.#exitsWithin(orderlyMs);
    }
    if (!this.#hasExited) {
      void this.#local.end();
      if (!(await this.#exitsWithin(killedMs))) {
        await this.#options.endElsewhere().catch(() => {});
        await this.#exitsWithin(killedMs); // the first shell still removes its folder
      }
    }
    await this.#local.close({ atOnce: true });
    await this.exit;
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return settledWithin(ms, this.exit, systemClock);
  }
}

/** First what came with the last line of the handshake. */
class Frames implements AsyncIterator<readonly string[]> {
  readonly #frames: AsyncIterator<readonly string[]>;
  #unread: readonly string[];

  constructor({ frames, unread }: Pick<RemoteConnectionOptions, 'frames' | 'unread'>) {
    this.#frames = frames;
    this.#unread = unread;
  }

  next(): Promise<IteratorResult<readonly string[]>> {
    if (this.#unread.length === 0) return this.#frames.next();
    const value = this.#unread;
    this.#unread = [];
    return Promise.resolve({ done: false, value });
  }

  return(): Promise<IteratorResult<readonly string[]>> {
    this.#unread = [];
    return this.#frames.return?.() ?? Promise.resolve({ done: true, value: undefined });
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as loopTurned } from 'node:timers/promises';
import { Arrivals } from './arrivals.ts';
import type { NextId } from './message.ts';
import { answerOther } from './other-endpoints.ts';
import { play } from './play.ts';
import { isMessagesBody, parseBody, readBody } from './read-body.ts';
import type { Asked, Ending, ModelRequest, OtherRequest, Recorded } from './requests.ts';
import { ScriptReader, type Script } from './script.ts';
import { sideKind, usualSideAnswer, type SideAnswerer } from './side-requests.ts';
import { toTurn, type TurnLike } from './turns.ts';
import { BrokenOff, Wire } from './wire.ts';

export interface LoopbackOptions {
  /** Answers the requests that the CLI makes beside the conversation. Default: a short text that fits. */
  readonly side?: SideAnswerer | undefined;
  /**
   * Part of the ids that it makes. Default `loopback`. A model that continues conversations of an earlier one needs another name:
   * the agent takes two calls with one id for the same.
   */
  readonly name?: string | undefined;
  /** Where it listens. Default: a port that is free. */
  readonly port?: number | undefined;
}

/** A model on 127.0.0.1 that replies according to a script. */
export interface Loopback extends AsyncDisposable {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** The requests that the script answered, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** All other requests, in order of arrival: side requests to the model, token counts, probes. */
  readonly others: readonly OtherRequest[];
  /** The number of unused turns of an ordered script; 0 when a function answers. */
  readonly remaining: number;
  /** Resolves with the `count`-th request of the script (from 1) once it has arrived; rejects if the loopback closes first. */
  received(count: number): Promise<ModelRequest>;
  /** Appends turns to an ordered script. */
  add(...turns: TurnLike[]): void;
  /** Destroys every connection; resolves when nothing is left. Safe to call twice, never rejects. */
  close(): Promise<void>;
}

/**
 * Starts the model. Without a script it answers every request with the error that its script is exhausted.
 * @throws {Error} when this machine cannot reach itself at 127.0.0.1: an agent would try for minutes. Or when `port` is taken.
 */
export async function startLoopback(script: Script = [], options: LoopbackOptions = {}): Promise<Loopback> {
  const reader = new ScriptReader(script); // what is wrong with it is thrown before anything listens
  const server = createServer();
  // Idle connections are never closed: a client that reuses one would see a failure that is not in the script.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  try {
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    await reach(server);
  } catch (cause) {
    const isListening = server.listening;
    server.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!isListening && options.port !== undefined)
      throw new Error(`A server cannot listen on the port ${options.port} of 127.0.0.1 (${reason}).`, { cause });
    throw new Error(
      `A server on this machine cannot be reached at 127.0.0.1 (${reason}). Switch the loopback network on: ip link set lo up`,
      { cause },
    );
  }
  return new LoopbackServer(server, reader, options);
}

/** @throws {Error} as the system does, or after three seconds without an answer. */
async function reach(server: Server): Promise<void> {
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(3000) });
  } finally {
    socket.destroy();
  }
  await once(socket, 'close');
}

class LoopbackServer implements Loopback {
  readonly url: string;
  readonly #server: Server;
  readonly #script: ScriptReader;
  readonly #side: SideAnswerer;
  readonly #name: string;
  readonly #arrivals = new Arrivals();
  readonly #others: OtherRequest[] = [];
  readonly #serving = new Set<Promise<void>>();
  readonly #counts = { msg: 0, toolu: 0, req: 0 };
  #closed: Promise<void> | undefined;

  constructor(server: Server, script: ScriptReader, { side = usualSideAnswer, name = 'loopback' }: LoopbackOptions) {
    this.#server = server;
    this.#script = script;
    this.#side = side;
    this.#name = name;
    // A TCP server that listens has an address of this shape; a string is for pipes, null for one that does not listen.
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => {
      const serving = this.#serve(request, new Wire(response)).finally(() => this.#serving.delete(serving));
      this.#serving.add(serving);
    });
    server.on('connect', (request, socket) => {
      // A request to the loopback as a proxy is recorded, so that a test can assert that the client connects nowhere else.
      this.#others.push({ ...recordedAs(request), ended: Promise.resolve('cut'), body: '' });
      socket.destroy();
    });
  }

  get requests(): readonly ModelRequest[] {
    return this.#arrivals.all;
  }

  get others(): readonly OtherRequest[] {
    return this.#others;
  }

  get remaining(): number {
    return this.#script.remaining;
  }

  received(count: number): Promise<ModelRequest> {
    return this.#arrivals.nth(count);
  }

  add(...turns: TurnLike[]): void {
    this.#script.add(turns);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#arrivals.end();
    this.#server.closeAllConnections();
    await closed;
    await Promise.allSettled(this.#serving);
    // A turn of the event loop frees closed handles at its end: only the next one sees none of them.
    await loopTurned();
    await loopTurned();
  }

  async #serve(request: IncomingMessage, wire: Wire): Promise<void> {
    let settle = (_: Ending): void => {};
    const ended = new Promise<Ending>((resolve) => (settle = resolve));
    try {
      await this.#answer({ ...recordedAs(request), ended }, request, wire);
      settle('sent');
    } catch (error) {
      if (!(error instanceof BrokenOff)) throw error; // a failure of the script's own code is reported as an unhandled rejection
      settle(this.#closed && error.ending === 'client-left' ? 'closed' : error.ending);
    }
  }

  async #answer(recorded: Recorded, request: IncomingMessage, wire: Wire): Promise<void> {
    const raw = await readBody(request);
    const body = parseBody(raw);
    const { pathname } = new URL(recorded.path, this.url);
    if (recorded.method === 'POST' && pathname === '/v1/messages' && isMessagesBody(body)) {
      return await this.#converse({ ...recorded, body }, wire);
    }
    this.#others.push({ ...recorded, body });
    const { status, json } = answerOther(recorded.method, pathname, raw);
    wire.open(status, { 'content-type': 'application/json' });
    await wire.end(json);
  }

  async #converse(request: Asked, wire: Wire): Promise<void> {
    const { body } = request;
    const side = sideKind(body);
    if (side !== undefined) {
      this.#others.push({ ...request, side });
      return await play(toTurn(this.#side(request, side)), body, wire, this.#nextId);
    }
    const asked: ModelRequest = { ...request, index: this.#arrivals.all.length };
    this.#arrivals.add(asked);
    const turn = await wire.until(this.#script.next(asked));
    await play(turn, body, wire, this.#nextId);
  }

  readonly #nextId: NextId = (prefix) => {
    this.#counts[prefix] += 1;
    return `${prefix}_${this.#name}_${this.#counts[prefix]}`;
  };
}

function recordedAs({ method = 'GET', url: path = '/', headers }: IncomingMessage): Omit<Recorded, 'ended'> {
  return { method, path, headers, at: performance.now() };
}

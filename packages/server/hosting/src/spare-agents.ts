import { attempt, Deferred, onAbort } from '@hexagent/async';
import {
  type AgentOpener,
  type AgentRequest,
  type AgentRequestOptions,
  type Clock,
  type HostedAgent,
  type Ids,
} from '@hexagent/ports';

export interface SpareAgentsOptions {
  /** Opens an agent for a session that no spare fits. */
  readonly open: AgentOpener;
  /** Opens a spare of a kind, before a session is assigned to it. */
  readonly openSpare: (kind: string, options: AgentRequestOptions) => Promise<HostedAgent>;
  /**
   * Which kind of spare would do for a session, such as its working directory; `undefined`: none. A spare was started under no lease
   * and has no fence, so it is none for a session whose transcript is stored under one.
   */
  readonly kindOf: (request: AgentRequest) => string | undefined;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly clock: Clock;
  /** How many spares of each kind are kept. Default 1. */
  readonly size?: number | undefined;
  /**
   * How long after one was taken the next is started, in milliseconds: starting takes the time of a processor, which the
   * session that has taken it needs for its first turn. Default 1000.
   */
  readonly refillAfterMs?: number | undefined;
}

/**
 * Agents that are started in advance. A new session takes one of its kind, with the id that it has, and
 * another is started in its place. Each takes the memory of an agent.
 */
export class SpareAgents implements AsyncDisposable {
  readonly #options: SpareAgentsOptions;
  readonly #size: number;
  readonly #spares = new Map<string, Set<HostedAgent>>();
  readonly #opening = new Set<Promise<void>>();
  readonly #refills = new Set<Promise<void>>();
  readonly #starting = new Map<string, number>();
  readonly #closed = new AbortController();

  /** @throws {TypeError} for a `size` that is not a whole number from 0 on. */
  constructor(options: SpareAgentsOptions) {
    const { size = 1 } = options;
    if (!Number.isSafeInteger(size) || size < 0)
      throw new TypeError(`\`size\` must be a whole number from 0 on, not ${String(size)}.`);
    this.#options = options;
    this.#size = size;
  }

  /** For the `open` of a host. */
  readonly open: AgentOpener = async (request) => {
    const { open, kindOf } = this.#options;
    const kind = request.options.sessionId === undefined ? undefined : kindOf(request);
    if (kind === undefined) return await open(request);
    const [spare] = this.#spares.get(kind) ?? [];
    if (spare !== undefined) this.#spares.get(kind)?.delete(spare);
    this.#refillLater(kind);
    return spare ?? (await open(request));
  };

  /** Starts spares of a kind until there are as many as are kept. A start that fails is tried again at the next request. */
  keep(kind: string): void {
    const spares = this.#spares.get(kind) ?? new Set<HostedAgent>();
    this.#spares.set(kind, spares);
    for (
      let count = spares.size + (this.#starting.get(kind) ?? 0);
      count < this.#size && !this.#closed.signal.aborted;
      count += 1
    ) {
      this.#starting.set(kind, (this.#starting.get(kind) ?? 0) + 1);
      const opening = this.#start(kind, spares).then(() => {
        this.#starting.set(kind, (this.#starting.get(kind) ?? 1) - 1);
        this.#opening.delete(opening);
      });
      this.#opening.add(opening);
    }
  }

  #refillLater(kind: string): void {
    const { clock, refillAfterMs = 1000 } = this.#options;
    const due = new Deferred<void>();
    const cancel = clock.after(refillAfterMs, () => {
      this.keep(kind);
      due.resolve();
    });
    const stopListening = onAbort(this.#closed.signal, () => {
      cancel();
      due.resolve();
    });
    const waiting = due.promise.then(stopListening);
    this.#refills.add(waiting);
    void waiting.then(() => this.#refills.delete(waiting));
  }

  /** Resolves when the spares that are being started have been, or could not be. */
  async ready(): Promise<void> {
    await Promise.all(this.#refills);
    await Promise.all(this.#opening);
  }

  /** Ends the spares. Those that a session has taken are the host's. Never rejects. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.ready();
    const spares = [...this.#spares.values()].flatMap((all) => [...all]);
    this.#spares.clear();
    await Promise.all(spares.map((spare) => spare.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(kind: string, spares: Set<HostedAgent>): Promise<void> {
    const { openSpare, ids } = this.#options;
    const starting = new AbortController();
    // No longer than it starts: the pool must not end the agent of the session that has taken the spare.
    const stopListening = onAbort(this.#closed.signal, (reason) => starting.abort(reason));
    try {
      const spare = await attempt(() => openSpare(kind, { sessionId: ids.uuid(), signal: starting.signal }));
      await spare.ready.catch(async (error: unknown) => {
        await spare.close();
        throw error;
      });
      if (this.#closed.signal.aborted) {
        await spare.close();
        return;
      }
      spares.add(spare);
      // One that dies is of no use to a session.
      void spare.exited.then(() => spares.delete(spare));
    } catch {
      // The session that would have taken it starts an agent of its own, and reports why that fails.
    } finally {
      stopListening();
    }
  }
}

import { SdkError } from '@hexagent/ports';
import type { ChatCaller, ChatState, ChatStream, Worker } from '@hexagent/ports';
import { CallLimit } from './call-limit.ts';
import type { FleetParts } from './fleet-parts.ts';
import { KnownWorkers } from './known-workers.ts';
import { place as placeByLoad } from './place.ts';
import { WatchedStream } from './watched-stream.ts';
import { WorkerSearch, type Act, type AskOptions, type SearchedChat } from './worker-search.ts';

type States = Readonly<Record<string, ChatState>>;

/** The calls of a gateway to its workers, and the streams that it has from them. */
export class FleetCalls {
  readonly #parts: FleetParts;
  readonly #silentAfterMs: number;
  readonly #workers: KnownWorkers;
  readonly #closed = new AbortController();
  readonly #streams = new Set<WatchedStream>();

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#workers = new KnownWorkers(parts);
    this.#silentAfterMs = parts.silentAfterMs ?? 3000;
  }

  /** A call to the worker of a chat. */
  async ask<T>(chatId: string, caller: ChatCaller, act: Act<T>, options?: AskOptions<T>): Promise<T> {
    const key = this.#parts.keyOf(chatId, caller);
    return await this.search({ key, caller }, (search) => search.ask(act, options));
  }

  /** What is done within the limit of one call. */
  async search<T>(chat: SearchedChat, run: (search: WorkerSearch) => Promise<T>): Promise<T> {
    const { place = placeByLoad } = this.#parts;
    const overdue = (): Error =>
      new SdkError('WORKER_UNREACHABLE', 'No worker answered in time.', { cause: search.lastError });
    const limit = this.#limit(this.#parts.giveUpAfterMs, overdue);
    const search = new WorkerSearch({ ...this.#parts, ...chat, workers: this.#workers, place, limit });
    try {
      return await run(search);
    } finally {
      limit.end();
    }
  }

  /** The stream of a worker, for as long as that one drives the chat. */
  watched({ headers, body: source }: ChatStream, key: string, { owner }: Worker): ChatStream {
    const { leases, clock } = this.#parts;
    const stream: WatchedStream = new WatchedStream({
      source,
      clock,
      silentAfterMs: this.#silentAfterMs,
      isDriven: async () => (await leases.where(key))?.owner === owner,
      ended: () => void this.#streams.delete(stream),
    });
    this.#streams.add(stream);
    if (this.#closed.signal.aborted) stream.fail(this.#closed.signal.reason);
    return { headers, body: stream.body };
  }

  /** The states of the chats that workers drive, apart from one. What a worker does not answer in time is left out. */
  async states(chatIds: readonly string[], caller: ChatCaller, except?: Worker): Promise<States> {
    if (chatIds.length === 0) return {};
    const { leases, reach } = this.#parts;
    const limit = this.#limit(this.#silentAfterMs, () => new SdkError('WORKER_UNREACHABLE', 'No answer in time.'));
    try {
      const workers = await limit.race(() => leases.workers());
      const asked = workers.filter(({ owner, address }) => owner !== except?.owner && address !== undefined);
      const none: States = {};
      const found = asked.map((worker) =>
        limit.race(async () => await reach(worker).states(chatIds, caller)).catch(() => none),
      );
      return Object.fromEntries((await Promise.all(found)).flatMap((states) => Object.entries(states)));
    } finally {
      limit.end();
    }
  }

  close(): void {
    const error = new SdkError('HOST_CLOSED', 'The chats were closed.');
    this.#closed.abort(error);
    for (const stream of this.#streams) stream.fail(error);
  }

  #limit(withinMs: number, overdue: () => Error): CallLimit {
    return new CallLimit({ clock: this.#parts.clock, closed: this.#closed.signal, withinMs, overdue });
  }
}

import { SdkError } from '@hexagent/ports';
import type { ChatCaller, ChatDoor, ErrorCode, SessionRecord, Worker } from '@hexagent/ports';
import type { CallLimit } from './call-limit.ts';
import type { FleetParts } from './fleet-parts.ts';
import type { KnownWorkers } from './known-workers.ts';
import type { Placement } from './place.ts';

/** The chat of a call. */
export interface SearchedChat {
  /** `undefined` for a call that any worker answers. */
  readonly key: string | undefined;
  readonly caller: ChatCaller;
}

interface SearchParts extends Pick<FleetParts, 'leases' | 'directory' | 'reach'>, SearchedChat {
  readonly workers: KnownWorkers;
  readonly place: Placement;
  readonly limit: CallLimit;
}

/** What a call does at the door of a worker. */
export type Act<T> = (door: ChatDoor, worker: Worker) => Promise<T>;

export interface AskOptions<T> {
  /** Whether another worker may answer while the one that drives the chat drains. Default `false`. */
  readonly besideHolder?: boolean | undefined;
  /** Whether a worker that does not drive the chat has no room for it: the others are asked, too. */
  readonly isFull?: ((answer: T) => boolean) | undefined;
  /** Whether it is rejected when the worker was not reached, which may have done it. Default `false`: it is asked again. */
  readonly isDoneOnce?: boolean | undefined;
  /** Whether it is rejected when a worker refuses it, or none is there. Default `false`: it is asked elsewhere. */
  readonly isTriedOnce?: boolean | undefined;
  /** Gets an answer that arrives when the call is over. */
  readonly late?: ((answer: T) => void) | undefined;
}

interface Found {
  readonly worker: Worker;
  /** Whether it drives the chat. */
  readonly isHolder: boolean;
}

const [firstPauseMs, longestPauseMs] = [25, 1000];
/** Another worker drives the chat, or will. */
const moved: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SESSION_HELD', 'LEASE_LOST']);

/** The way of one call to the worker that answers it. */
export class WorkerSearch {
  readonly #parts: SearchParts;
  /** Workers that refuse everything, since they drain. */
  readonly #closed = new Set<string>();
  /** Workers that do not drive the chat, and were not reached or have no room: until the next pause. */
  readonly #leftOut = new Set<string>();
  #pauseMs = firstPauseMs;
  #lastError: unknown;
  #wasUnreachable = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** What a worker refused it with. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Whether a worker may have done it whose answer did not arrive. */
  get mayBeDone(): boolean {
    return this.#wasUnreachable;
  }

  /** Asks the worker that drives the chat, or one that is to, until one answers. */
  async ask<T>(act: Act<T>, options: AskOptions<T> = {}): Promise<T> {
    const { isFull = () => false, isTriedOnce = false } = options;
    let full: { readonly answer: T } | undefined;
    for (;;) {
      const found = await this.#find(options);
      if (found === undefined) {
        // Without an answer, each of them is tried again after a pause.
        if (full !== undefined) return full.answer;
        if (isTriedOnce) throw new SdkError('WORKER_UNREACHABLE', 'No worker takes the chat now.');
        await this.pause();
        continue;
      }
      const tried = await this.#try(found, act, options);
      if (tried === undefined && isTriedOnce) throw this.#lastError;
      if (tried === undefined) continue;
      if (found.isHolder || !isFull(tried.answer)) return tried.answer;
      full = tried;
      this.#leftOut.add(found.worker.owner);
    }
  }

  /** Has the workers read again: they are not as they were when the chat was placed. */
  forgetWorkers(): void {
    this.#parts.workers.forget();
  }

  /** Each pause is longer than the one before. */
  async pause(): Promise<void> {
    await this.#parts.limit.pause(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    this.#leftOut.clear();
    this.#parts.workers.forget();
  }

  async #find({ besideHolder = false }: Pick<AskOptions<never>, 'besideHolder'>): Promise<Found | undefined> {
    const { leases, key, limit } = this.#parts;
    const holder = key === undefined ? undefined : await limit.race(() => leases.where(key));
    if (holder !== undefined && !this.#closed.has(holder.owner)) return { worker: holder, isHolder: true };
    if (holder !== undefined && !besideHolder) return undefined;
    const worker = await this.#place();
    return worker && { worker, isHolder: false };
  }

  async #place(): Promise<Worker | undefined> {
    const { workers: known, directory, place, key, caller, limit } = this.#parts;
    const stored = async (): Promise<SessionRecord | undefined> => (key === undefined ? undefined : directory.get(key));
    const [record, workers] = await limit.race(() => Promise.all([stored(), known.read()]));
    const able = known
      .counted(workers)
      .filter(({ owner, address }) => address !== undefined && !this.#leftOut.has(owner) && !this.#closed.has(owner));
    const { tenant = caller.tenant, address } = record ?? {};
    const chosen = place({ id: key ?? tenant ?? '', tenant, address }, able)?.owner;
    if (chosen !== undefined && key !== undefined) known.placed(chosen);
    // A placement that chooses one that was left out would be asked again and again.
    return able.find(({ owner }) => owner === chosen);
  }

  /** `undefined` where it is to be asked again, or elsewhere. */
  async #try<T>(found: Found, act: Act<T>, options: AskOptions<T>): Promise<{ readonly answer: T } | undefined> {
    const { reach, limit, workers } = this.#parts;
    try {
      const answer = await limit.race(async () => await act(reach(found.worker), found.worker), options.late);
      return { answer };
    } catch (error) {
      if (limit.isOver || !SdkError.is(error)) throw error;
      this.#lastError = error;
      workers.forget();
      if (error.code === 'WORKER_UNREACHABLE' && options.isDoneOnce !== true) await this.#notReached(found);
      else if (error.code === 'HOST_CLOSED') this.#closed.add(found.worker.owner);
      else if (moved.has(error.code)) await this.pause();
      else throw error;
      return undefined;
    }
  }

  async #notReached({ worker, isHolder }: Found): Promise<void> {
    this.#wasUnreachable = true;
    // Until its lease has ended no other worker can do it. Where only a connection broke, it is there again after the pause.
    if (isHolder) await this.pause();
    else this.#leftOut.add(worker.owner);
  }
}

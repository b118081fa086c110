import { onAbort } from '@hexagent/async';
import type { ChatStream } from '@hexagent/ports';
import { Refusal, retryAfter } from './refusal.ts';

const longestTimer = 2 ** 31 - 1;

/** A response that may stream. */
export interface ReaderPlace {
  /** Gives the place back. Safe to call twice. */
  leave(): void;
}

interface Attachment {
  /** Returned when the reader has left. */
  readonly place: ReaderPlace;
  /** Which chat it is, of all tenants. */
  readonly key: string;
  readonly stream: ChatStream;
  /** The signal of the request: some platforms drop the body of a response without cancelling it. */
  readonly signal: AbortSignal;
  /** Called when the chat was not read for the time of `unreadAfterMs`. */
  readonly unread: () => void;
}

/** Counts the readers of each chat, and passes the bytes on as fast as each reads them. */
export class Readers {
  readonly #unreadAfterMs: number | undefined;
  readonly #counts = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** How many places each caller has, and how many there are in all. */
  readonly #ofCallers = new Map<string, number>();
  #total = 0;

  constructor({ unreadAfterMs }: { readonly unreadAfterMs: number | undefined }) {
    this.#unreadAfterMs = unreadAfterMs === undefined ? undefined : Math.min(unreadAfterMs, longestTimer);
  }

  /**
   * Takes a place before a response is begun: of requests that arrive together, no more get a place than there are.
   * @throws {Refusal} where no place is free, for this caller or for all.
   */
  enter(
    caller: string,
    { streams, streamsPerCaller }: { readonly streams: number; readonly streamsPerCaller: number },
  ): ReaderPlace {
    const own = this.#ofCallers.get(caller) ?? 0;
    if (own >= streamsPerCaller)
      throw new Refusal('TOO_MANY_STREAMS', `You have ${own} responses that stream already.`, retryAfter(undefined));
    if (this.#total >= streams)
      throw new Refusal('NO_ROOM', 'Too many responses stream already.', retryAfter(undefined));
    this.#countCaller(caller, 1);
    let isTaken = true;
    return {
      leave: () => {
        if (isTaken) this.#countCaller(caller, -1);
        isTaken = false;
      },
    };
  }

  /** The stream as the body of a response. */
  attach({ place, key, stream, signal, unread }: Attachment): ReadableStream<Uint8Array> {
    const reader = stream.body.getReader();
    this.#count(key, 1);
    let isOpen = true;
    let stopListening = (): void => {};
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      stopListening();
      place.leave();
      this.#count(key, -1);
    };
    const leave = (): void => {
      if (!isOpen) return;
      close();
      reader.cancel().catch(() => {}); // a source that fails now reports the error to its other readers
      this.#waitForOthers(key, unread);
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        close();
        controller.close();
      } catch (error) {
        close();
        controller.error(error);
      }
    };
    // Nothing is read ahead: what this reader has not read stays in the buffer that all readers share.
    const body = new ReadableStream<Uint8Array>({ pull, cancel: leave }, { highWaterMark: 0 });
    stopListening = onAbort(signal, leave);
    return body;
  }

  #countCaller(caller: string, change: 1 | -1): void {
    this.#total += change;
    const count = (this.#ofCallers.get(caller) ?? 0) + change;
    if (count === 0) this.#ofCallers.delete(caller);
    else this.#ofCallers.set(caller, count);
  }

  #count(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  #waitForOthers(key: string, unread: () => void): void {
    if (this.#unreadAfterMs === undefined || this.#counts.has(key)) return;
    const late = (): void => {
      this.#timers.delete(key);
      unread();
    };
    this.#timers.set(key, setTimeout(late, this.#unreadAfterMs).unref());
  }
}

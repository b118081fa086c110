import { SdkError, type AgentMessage } from '@hexagent/ports';
import { Inbox } from '@hexagent/streams';
import type { Flow } from './flow.ts';

/**
 * Messages on their way to one reader. What a reader has to read holds the conversation up when it is slow; what
 * nobody may ever read does not: it is kept up to the soft mark and then let go, and a late reader is told.
 */
export class Mailbox<T = AgentMessage> {
  readonly #flow: Flow;
  readonly #inbox: Inbox<T>;
  #opened = false;
  #optional: boolean;
  #discarded = false;

  constructor(flow: Flow, { optional }: { readonly optional: boolean }) {
    this.#flow = flow;
    this.#optional = optional;
    this.#inbox = new Inbox<T>({ taken: (size) => this.#flow.remove(size) });
  }

  push(value: T, bytes: number): void {
    if (this.#inbox.ended || this.#discarded) return;
    if (this.#opened || !this.#optional) {
      this.#flow.add(bytes);
      this.#inbox.push(value, bytes);
    } else if (this.#inbox.size + bytes <= this.#flow.softMarkBytes) {
      this.#inbox.push(value, bytes);
    } else {
      this.#inbox.discard();
      this.#discarded = true;
    }
  }

  /** The one reader. From now on a slow reader holds the conversation up. */
  open(): Inbox<T> {
    if (this.#opened) return this.#inbox;
    this.#opened = true;
    if (this.#optional) this.#flow.add(this.#inbox.size);
    if (this.#discarded) {
      const error = new SdkError(
        'MESSAGES_DISCARDED',
        `More than ${this.#flow.softMarkBytes} bytes of messages came before anyone read them.`,
      );
      // An ended inbox keeps its ending; the loss has to be told all the same, so a fresh one tells it.
      const told = new Inbox<T>();
      told.end({ error });
      return told;
    }
    return this.#inbox;
  }

  /** Nobody may ever read this: it must not hold the conversation up any more. */
  makeOptional(): void {
    if (this.#opened || this.#optional) return;
    this.#optional = true;
    this.#flow.remove(this.#inbox.size);
    if (this.#inbox.size > this.#flow.softMarkBytes) {
      this.#inbox.discard();
      this.#discarded = true;
    }
  }

  end(ending?: { readonly error?: unknown }): void {
    this.#inbox.end(ending);
  }

  /** Drops what is unread: after this nothing is delivered but the ending. */
  cut(ending?: { readonly error?: unknown }): void {
    const size = this.#inbox.discard();
    if (this.#opened || !this.#optional) this.#flow.remove(size);
    this.#inbox.end(ending);
  }
}

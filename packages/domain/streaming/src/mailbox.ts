import { SdkError, type AgentMessage } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import type { Flow } from './flow.ts';

export interface MailboxOptions<T> {
  /** Nobody may ever read it. */
  readonly optional: boolean;
  /** How much of it is kept for a late reader; the soft mark unless told. */
  readonly keepBytes?: number;
  /** Makes a value again from its line. */
  readonly restore?: (line: string) => T;
}

/**
 * Messages on their way to one reader. What a reader has to read holds the conversation up when it is slow; what
 * nobody may ever read does not: a part is kept and the rest let go, and a late reader is told.
 */
export class Mailbox<T = AgentMessage> {
  readonly #flow: Flow;
  readonly #keepBytes: number;
  readonly #inbox: Inbox<T>;
  #isOpen = false;
  #isOptional: boolean;
  #isDiscarded = false;

  constructor(flow: Flow, { optional, keepBytes = flow.softMarkBytes, restore }: MailboxOptions<T>) {
    this.#flow = flow;
    this.#keepBytes = keepBytes;
    this.#isOptional = optional;
    this.#inbox = new Inbox<T>({ taken: (size) => this.#flow.remove(size), restore });
  }

  /** Whether someone has begun to read. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  push(value: T, bytes: number, line?: string): void {
    if (this.#inbox.ended || this.#isDiscarded) return;
    const isBehind = Math.max(this.#flow.unreadBytes, this.#inbox.size) > this.#flow.parsedBytes;
    if (this.#isCounted) this.#flow.add(bytes);
    else if (this.#inbox.size + bytes > this.#keepBytes) return this.#discard();
    this.#inbox.push(value, bytes, isBehind ? line : undefined);
  }

  /** The one reader. From now on a slow reader holds the conversation up. */
  open(): Inbox<T> {
    if (this.#isOpen) return this.#inbox;
    if (!this.#isCounted) this.#flow.add(this.#inbox.size);
    this.#isOpen = true;
    if (!this.#isDiscarded) return this.#inbox;
    // An ended inbox keeps its ending; the loss has to be told all the same, so a fresh one tells it.
    const told = new Inbox<T>();
    told.end({
      error: new SdkError(
        'MESSAGES_DISCARDED',
        `More than ${this.#keepBytes} bytes of messages came before anyone read them.`,
      ),
    });
    return told;
  }

  /** Nobody may ever read this: it must not hold the conversation up any more. */
  makeOptional(): void {
    if (this.#isOpen || this.#isOptional) return;
    this.#isOptional = true;
    this.#flow.remove(this.#inbox.size);
    if (this.#inbox.size > this.#keepBytes) this.#discard();
  }

  end(ending?: { readonly error?: unknown }): void {
    this.#inbox.end(ending);
  }

  /** Drops what is unread: after this nothing is delivered but the ending. */
  cut(ending?: { readonly error?: unknown }): void {
    const size = this.#inbox.discard();
    if (this.#isCounted) this.#flow.remove(size);
    this.#inbox.end(ending);
  }

  /** Whether what is in it counts as unread. */
  get #isCounted(): boolean {
    return this.#isOpen || !this.#isOptional;
  }

  #discard(): void {
    this.#inbox.discard();
    this.#isDiscarded = true;
  }
}

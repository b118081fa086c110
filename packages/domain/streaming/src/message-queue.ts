import { SdkError, type AgentMessage } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import type { Flow } from './flow.ts';

export interface MessageQueueOptions<T> {
  /** May never be read. */
  readonly optional: boolean;
  /** How many bytes are kept for a late reader. Default: the soft mark. */
  readonly keepBytes?: number;
  /** Parses a value again from its line. */
  readonly restore?: (line: string) => T;
}

/**
 * Messages on their way to one reader. They count as unread, and so pause the agent for a slow reader, unless they are
 * optional: then the first `keepBytes` are kept, beyond that all are discarded, and a late reader gets an error.
 */
export class MessageQueue<T = AgentMessage> {
  readonly #flow: Flow;
  readonly #keepBytes: number;
  readonly #inbox: Inbox<T>;
  #isOpen = false;
  #isOptional: boolean;
  #isDiscarded = false;

  constructor(flow: Flow, { optional, keepBytes = flow.softMarkBytes, restore }: MessageQueueOptions<T>) {
    this.#flow = flow;
    this.#keepBytes = keepBytes;
    this.#isOptional = optional;
    this.#inbox = new Inbox<T>({ onTaken: (size) => this.#flow.remove(size), restore });
  }

  /** Whether reading has begun. */
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

  /** Begins reading. From now on what is unread counts. */
  open(): Inbox<T> {
    if (this.#isOpen) return this.#inbox;
    if (!this.#isCounted) this.#flow.add(this.#inbox.size);
    this.#isOpen = true;
    if (!this.#isDiscarded) return this.#inbox;
    // The inbox may have ended and keeps its ending, so a new one reports the loss.
    const lost = new Inbox<T>();
    lost.end({
      error: new SdkError(
        'MESSAGES_DISCARDED',
        `More than ${this.#keepBytes} bytes of messages came before reading began.`,
      ),
    });
    return lost;
  }

  /** What is unread no longer counts, unless reading has begun. */
  makeOptional(): void {
    if (this.#isOpen || this.#isOptional) return;
    this.#isOptional = true;
    this.#flow.remove(this.#inbox.size);
    if (this.#inbox.size > this.#keepBytes) this.#discard();
  }

  end(ending?: { readonly error?: unknown }): void {
    this.#inbox.end(ending);
  }

  /** Drops what is unread and ends. */
  cut(ending?: { readonly error?: unknown }): void {
    const size = this.#inbox.discard();
    if (this.#isCounted) this.#flow.remove(size);
    this.#inbox.end(ending);
  }

  /** Whether its messages count as unread. */
  get #isCounted(): boolean {
    return this.#isOpen || !this.#isOptional;
  }

  #discard(): void {
    this.#inbox.discard();
    this.#isDiscarded = true;
  }
}

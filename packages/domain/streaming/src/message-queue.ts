import { SdkError, type AgentMessage } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import type { Flow } from './flow.ts';

export interface MessageQueueOptions<T> {
  /** May never be read. */
  readonly optional: boolean;
  /** How many bytes are kept for a late reader. Default: the soft mark. */
  readonly keepBytes?: number;
  /** Reads beside the program: never counts as unread, also while it is being read. */
  readonly mayMiss?: boolean;
  /** Turns a value and its line into the text that is kept. Default: the line. */
  readonly store?: (value: T, line: string) => string;
  /** Makes a value again of the text that was kept. */
  readonly restore?: (text: string) => T;
  /** Called once, when reading begins. */
  readonly onOpen?: () => void;
}

/**
 * Messages on their way to one reader. They count as unread, and so pause the agent for a slow reader, unless they are
 * optional: then the first `keepBytes` are kept, beyond that all are discarded, and a late reader gets an error.
 */
export class MessageQueue<T = AgentMessage> {
  readonly #flow: Flow;
  readonly #inbox: Inbox<T>;
  readonly #mayMiss: boolean;
  readonly #store: ((value: T, line: string) => string) | undefined;
  readonly #onOpen: (() => void) | undefined;
  #keepBytes: number;
  #isOpen = false;
  #isOptional: boolean;
  #isDiscarded = false;

  constructor(
    flow: Flow,
    { optional, keepBytes = flow.softMarkBytes, mayMiss = false, store, restore, onOpen }: MessageQueueOptions<T>,
  ) {
    this.#flow = flow;
    this.#keepBytes = keepBytes;
    this.#mayMiss = mayMiss;
    this.#store = store;
    this.#onOpen = onOpen;
    this.#isOptional = optional;
    const onTaken = mayMiss ? undefined : (size: number) => this.#flow.remove(size);
    this.#inbox = new Inbox<T>({ onTaken, restore });
  }

  /** Whether reading has begun. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether its reader has left, or has missed something. */
  get isOver(): boolean {
    return this.#inbox.ended || this.#isDiscarded;
  }

  /** Whether its messages count as unread. */
  get isRequired(): boolean {
    return !this.isOver && this.#isCounted;
  }

  /** Returns `false` once it is over. */
  push(value: T, bytes: number, line?: string): boolean {
    if (this.isOver) return false;
    const isBehind = Math.max(this.#flow.unreadBytes, this.#inbox.size) > this.#flow.parsedBytes;
    if (this.#isCounted) this.#flow.add(bytes);
    const text = isBehind && line !== undefined ? (this.#store?.(value, line) ?? line) : undefined;
    this.#inbox.push(value, bytes, text);
    this.#discardTooMuch();
    return !this.#isDiscarded;
  }

  /** Misses a value that another reader gets. */
  skip(): void {
    if (!this.#isOpen) this.#isDiscarded = true;
  }

  /** Begins reading. From now on what is unread counts. */
  open(): Inbox<T> {
    if (this.#isOpen) return this.#inbox;
    if (!this.#isCounted && !this.#mayMiss) this.#flow.add(this.#inbox.size);
    this.#isOpen = true;
    this.#onOpen?.();
    if (!this.#isDiscarded) return this.#inbox;
    // The inbox may have ended and keeps its ending, so a new one reports the loss.
    const lost = new Inbox<T>();
    lost.end(this.#lost());
    return lost;
  }

  /** Unread messages count from now on, also before reading has begun. */
  makeRequired(): void {
    if (this.#isCounted) return;
    this.#isOptional = false;
    this.#flow.add(this.#inbox.size);
  }

  /** Unread messages no longer count, unless reading has begun. */
  makeOptional(): void {
    if (this.#isOpen || this.#isOptional) return;
    this.#isOptional = true;
    this.#flow.remove(this.#inbox.size);
    this.#discardTooMuch();
  }

  /** Keeps nothing for a late reader. */
  keepNothing(): void {
    this.makeOptional();
    this.#keepBytes = 0;
    this.#discardTooMuch();
  }

  /** The error for messages that were discarded; `undefined` if none were. */
  get loss(): { readonly error: SdkError } | undefined {
    return this.#isDiscarded ? this.#lost() : undefined;
  }

  /** Takes what is unread and does not count. */
  drain(): readonly T[] {
    return this.#inbox.drain();
  }

  end(ending?: { readonly error?: unknown }): void {
    this.#inbox.end(ending);
  }

  /** Drops what is unread and ends. */
  cut(ending?: { readonly error?: unknown }): void {
    this.retain(() => false);
    this.#inbox.end(ending);
  }

  /** Drops what is unread and for which `isKept` is `false`, and what is kept as a text. */
  retain(isKept: (value: T) => boolean): void {
    const size = this.#inbox.retain(isKept);
    if (this.#isCounted) this.#flow.remove(size);
  }

  get #isCounted(): boolean {
    return !this.#mayMiss && (this.#isOpen || !this.#isOptional);
  }

  #discardTooMuch(): void {
    if (this.#isCounted || this.#inbox.size <= this.#keepBytes) return;
    this.#inbox.discard();
    this.#isDiscarded = true;
    if (this.#isOpen) this.#inbox.end(this.#lost());
  }

  #lost(): { readonly error: SdkError } {
    const error = new SdkError(
      'MESSAGES_DISCARDED',
      this.#mayMiss
        ? `More than ${this.#keepBytes} bytes of messages were unread.`
        : `More than ${this.#keepBytes} bytes of messages came before reading began.`,
    );
    return { error };
  }
}

import type { Channel, Observer } from '@hexagent/ports';
import { mayPause } from './may-pause.ts';

export interface FlowOptions {
  readonly callbacks: boolean;
  readonly softMarkBytes: number;
  readonly hardMarkBytes: number;
  readonly observer?: Observer | undefined;
}

/** What of a channel is turned off and on. */
type Tap = Pick<Channel, 'openRequests' | 'pause' | 'resume'>;

/** Counts what is unread and pauses the channel when {@link mayPause} says so. */
export class Flow {
  readonly softMarkBytes: number;
  readonly #options: FlowOptions;
  readonly #lowerMark: number;
  #channel: Tap | undefined;
  #unread = 0;
  #awaited = 0;
  #paused = false;
  #closing = false;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.softMarkBytes = options.softMarkBytes;
    this.#lowerMark = Math.min(options.softMarkBytes, options.hardMarkBytes);
  }

  attach(channel: Tap): void {
    this.#channel = channel;
    this.review();
  }

  add(bytes: number): void {
    this.#unread += bytes;
    this.review();
  }

  remove(bytes: number): void {
    this.#unread -= bytes;
    if (this.#paused) this.review();
  }

  /** Reads until `awaited` settles, whatever is unread. */
  async readOn<T>(awaited: Promise<T>): Promise<T> {
    this.#awaited += 1;
    this.review();
    try {
      return await awaited;
    } finally {
      this.#awaited -= 1;
      this.review();
    }
  }

  /** From now on everything is read, since what is read is discarded. */
  close(): void {
    this.#closing = true;
    this.review();
  }

  /** Looks again: what is unread, or who waits, has changed. */
  review(): void {
    // Whoever waits, below the lower mark nothing is paused: this is on the path of each message and each answer.
    if (!this.#paused && this.#unread <= this.#lowerMark) return;
    const channel = this.#channel;
    if (channel === undefined) return;
    const decision = mayPause({
      ...this.#options,
      unreadBytes: this.#unread,
      openRequests: channel.openRequests + this.#awaited,
      closing: this.#closing,
      paused: this.#paused,
    });
    if ((decision !== 'read') === this.#paused) return;
    this.#paused = decision !== 'read';
    if (this.#paused) channel.pause();
    else channel.resume();
    this.#tell(decision);
  }

  #tell(decision: 'read' | 'pause' | 'stall'): void {
    const { observer } = this.#options;
    if (observer === undefined) return;
    const kind = ({ read: 'resumed', pause: 'paused', stall: 'stalled' } as const)[decision];
    tell(observer, { kind, unreadBytes: this.#unread });
  }
}

/** An observer looks on: what it throws must not change what happens. */
export function tell(observer: Observer | undefined, event: Parameters<Observer['observe']>[0]): void {
  try {
    observer?.observe(event);
  } catch {
    // The port's promise: an observer's failure is its own.
  }
}

import { SdkError, type Channel, type Clock } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { mayPause, type ReadingDecision } from './may-pause.ts';
import type { Report } from './report.ts';

export interface FlowOptions {
  readonly callbacks: boolean;
  readonly softMarkBytes: number;
  readonly hardMarkBytes: number;
  readonly clock: Clock;
  readonly report?: Report | undefined;
}

/** What of a channel the flow uses. */
type Tap = Pick<Channel, 'openRequests' | 'pause' | 'resume' | 'giveUpRequests'>;

/** How long a reader may take nothing while somebody waits for what lies behind the hard mark. */
const stalledMs = 10_000;

/** Counts what is unread and pauses the channel when {@link mayPause} says so. */
export class Flow {
  readonly softMarkBytes: number;
  /** What is unread up to here stays parsed; what comes beyond it is kept as its line, which takes less memory. */
  readonly parsedBytes: number;
  readonly #options: FlowOptions;
  readonly #lowerMark: number;
  readonly #waiting = new Set<Deferred<never>>();
  #channel: Tap | undefined;
  #unread = 0;
  /** How often something was read. */
  #taken = 0;
  #decision: ReadingDecision = 'read';
  #closing = false;
  #stopWatching: (() => void) | undefined;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.softMarkBytes = options.softMarkBytes;
    this.#lowerMark = Math.min(options.softMarkBytes, options.hardMarkBytes);
    this.parsedBytes = this.#lowerMark / 4;
  }

  get unreadBytes(): number {
    return this.#unread;
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
    this.#taken += 1;
    if (this.#decision !== 'read') this.review();
  }

  /**
   * Reads up to the hard mark until `awaited` settles.
   * @throws {SdkError} `REQUEST_STALLED` when it lies behind more than that, and nobody reads.
   */
  async readOn<T>(awaited: Promise<T>): Promise<T> {
    const waiting = new Deferred<never>().handled();
    this.#waiting.add(waiting);
    this.review();
    try {
      return await Promise.race([awaited, waiting.promise]);
    } finally {
      this.#waiting.delete(waiting);
      this.review();
    }
  }

  /** From now on everything is read, since what is read is discarded. */
  close(): void {
    this.#closing = true;
    this.review();
  }

  /** Decides again: what is unread, or who waits, has changed. */
  review(): void {
    // Whoever waits, below the lower mark nothing is paused: this is on the path of each message and each answer.
    if (this.#decision === 'read' && this.#unread <= this.#lowerMark) return;
    const channel = this.#channel;
    if (channel === undefined) return;
    const openRequests = channel.openRequests + this.#waiting.size;
    const decision = mayPause({
      ...this.#options,
      unreadBytes: this.#unread,
      openRequests,
      closing: this.#closing,
      last: this.#decision,
    });
    if (decision === 'stall' && openRequests > 0) this.#watch();
    else this.#unwatch();
    if (decision !== this.#decision) this.#follow(decision, channel);
  }

  #follow(decision: ReadingDecision, channel: Tap): void {
    const wasPaused = this.#decision !== 'read';
    this.#decision = decision;
    if (decision === 'read') channel.resume();
    else if (!wasPaused) channel.pause();
    this.#report(decision);
  }

  /** Somebody waits for what is not read: that ends, or a reader that itself awaits it would wait for ever. */
  #watch(): void {
    if (this.#stopWatching !== undefined) return;
    const taken = this.#taken;
    this.#stopWatching = this.#options.clock.after(stalledMs, () => {
      this.#stopWatching = undefined;
      // A reader that is only slow comes to it in time.
      if (this.#taken === taken) this.#giveUp();
      else this.review();
    });
  }

  #unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #giveUp(): void {
    const error = new SdkError(
      'REQUEST_STALLED',
      `The answer lies behind ${this.#unread} bytes of messages, and nobody has read any of them for ${stalledMs} ms.`,
    );
    for (const waiting of this.#waiting) waiting.reject(error);
    this.#channel?.giveUpRequests(error);
  }

  #report(decision: ReadingDecision): void {
    const { report } = this.#options;
    if (report === undefined) return;
    const kind = ({ read: 'resumed', pause: 'paused', stall: 'stalled' } as const)[decision];
    report({ kind, unreadBytes: this.#unread });
  }
}

import { SdkError, type Channel, type Clock } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { decideReading, type ReadingDecision } from './decide-reading.ts';
import type { Report } from './report.ts';

export interface FlowOptions {
  /** Whether a request of the agent may lie behind what is unread. */
  readonly mayBeAsked: () => boolean;
  readonly softMarkBytes: number;
  readonly hardMarkBytes: number;
  readonly clock: Clock;
  readonly report?: Report | undefined;
}

/** The part of a channel that the flow uses. */
type PausableChannel = Pick<Channel, 'openRequests' | 'pause' | 'resume' | 'giveUpRequests'>;

/** How long a reader may read nothing while an answer that lies behind the hard mark is awaited. */
const stalledMs = 10_000;

/** Counts what is unread, and pauses the channel as {@link decideReading} decides. */
export class Flow {
  readonly softMarkBytes: number;
  /** Up to here unread messages stay parsed; beyond it they are kept as lines, which take less memory. */
  readonly parsedBytes: number;
  readonly #options: FlowOptions;
  readonly #lowerMark: number;
  readonly #waiting = new Set<Deferred<never>>();
  #channel: PausableChannel | undefined;
  #unread = 0;
  /** How many messages were read. */
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

  /** Whether unread messages are kept as their lines. */
  get isBehind(): boolean {
    return this.#unread > this.parsedBytes;
  }

  attach(channel: PausableChannel): void {
    this.#channel = channel;
    this.review();
  }

  /** Counts bytes as unread; negative when they are dropped unread. */
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
   * @throws {SdkError} `REQUEST_STALLED` when it lies behind more than that, and nothing is read.
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

  /** Reading never pauses any more: what is read is discarded. */
  close(): void {
    this.#closing = true;
    this.review();
  }

  /** Decides again. Called when what is unread, or what is awaited, has changed. */
  review(): void {
    // Below the lower mark, reading never pauses.
    if (this.#decision === 'read' && this.#unread <= this.#lowerMark) return;
    const channel = this.#channel;
    if (channel === undefined) return;
    const openRequests = channel.openRequests + this.#waiting.size;
    const decision = decideReading({
      ...this.#options,
      callbacks: this.#options.mayBeAsked(),
      unreadBytes: this.#unread,
      openRequests,
      closing: this.#closing,
      last: this.#decision,
    });
    if (decision === 'stall' && openRequests > 0) this.#startStallTimer();
    else this.#stopStallTimer();
    if (decision !== this.#decision) this.#follow(decision, channel);
  }

  #follow(decision: ReadingDecision, channel: PausableChannel): void {
    const wasPaused = this.#decision !== 'read';
    this.#decision = decision;
    if (decision === 'read') channel.resume();
    else if (!wasPaused) channel.pause();
    this.#report(decision);
  }

  /** Limits how long an answer is awaited behind a stall: a reader that awaits it itself would wait for ever. */
  #startStallTimer(): void {
    if (this.#stopWatching !== undefined) return;
    const taken = this.#taken;
    this.#stopWatching = this.#options.clock.after(stalledMs, () => {
      this.#stopWatching = undefined;
      // A reader that has read something meanwhile is slow, and reaches the answer in time.
      if (this.#taken === taken) this.#giveUp();
      else this.review();
    });
  }

  #stopStallTimer(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #giveUp(): void {
    const error = new SdkError(
      'REQUEST_STALLED',
      `The answer lies behind ${this.#unread} bytes of messages, and none of them was read for ${stalledMs} ms.`,
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

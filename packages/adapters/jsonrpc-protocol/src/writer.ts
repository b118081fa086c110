import { SdkError } from '@hexagent/ports';
import type { Connection, FrameParser, OutboundFrame } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import type { SafeObserver } from './safe-observer.ts';

interface Held {
  readonly frame: OutboundFrame;
  readonly line: string;
  readonly written: Deferred<void>;
}

export interface WriteOptions {
  /** Is written before what is held back. For `initialize` itself, and for answers: without them it is never answered. */
  readonly bypassHold?: boolean;
  /** The frame holds nothing that JSON cannot carry. */
  readonly isJson?: boolean;
}

/**
 * Writes all lines to the agent. Each is checked, and leaves in the order of the calls, which a connection keeps. A sender that
 * awaits its write does not outrun a slow agent.
 */
export class Writer {
  readonly #connection: Pick<Connection, 'send'>;
  readonly #parser: FrameParser;
  readonly #observer: SafeObserver;
  /** A sender calls it when its line did not reach the agent. */
  readonly unwritten: (error: unknown) => void;
  /** Frames that wait for the answer to `initialize`; `undefined` when frames need not wait. */
  #held: Held[] | undefined;
  readonly #released: Deferred<void> = new Deferred();
  /** The error for each frame that is refused. */
  #refusal: Error | undefined;
  /** The newest line. Lines leave in order, so when it is out, all are. */
  #newest: Promise<void> = Promise.resolve();

  constructor(ports: {
    readonly connection: Pick<Connection, 'send'>;
    readonly parser: FrameParser;
    readonly observer: SafeObserver;
    readonly hold: boolean;
    readonly unwritten: (error: unknown) => void;
  }) {
    this.#connection = ports.connection;
    this.#parser = ports.parser;
    this.#observer = ports.observer;
    this.unwritten = ports.unwritten;
    this.#held = ports.hold ? [] : undefined;
    if (!ports.hold) this.#released.resolve();
  }

  /**
   * Resolves once the line is handed over; rejects when the agent has exited.
   * @throws {SdkError} at once: `FRAME_INVALID` for what would end the agent, and the error of `refuse()`.
   */
  write(frame: OutboundFrame, { bypassHold = false, isJson = false }: WriteOptions = {}): Promise<void> {
    const line = this.#parser.stringify(frame, { isJson });
    if (this.#refusal) throw this.#refusal;
    if (this.#held === undefined || bypassHold) return this.#send(frame, line);
    const written = new Deferred<void>().handled();
    this.#held.push({ frame, line, written });
    return written.promise;
  }

  /** Takes back a frame that is still held. `false` when it is out, or was never written. */
  withdraw(frame: OutboundFrame): boolean {
    const index = this.#held?.findIndex((held) => held.frame === frame) ?? -1;
    if (index === -1) return false;
    this.#held?.splice(index, 1);
    return true;
  }

  /** Writes what was held back, in its order. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { frame, line, written } of held) {
      this.#send(frame, line).then(
        () => written.resolve(),
        (error: unknown) => written.reject(error),
      );
    }
    this.#released.resolve();
  }

  /** Writes nothing more, and rejects the held frames with the error. The first refusal counts. */
  refuse(error: Error): void {
    this.#refusal ??= error;
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { written } of held) written.reject(error);
    this.#released.resolve();
  }

  /** Takes nothing more, and resolves when all that was taken before is out or lost with the agent. */
  async drain(): Promise<void> {
    this.#refusal ??= new SdkError('CHANNEL_CLOSED', 'Nothing more can be sent: the input of the agent was ended.');
    await this.#released.promise;
    await this.#newest.catch(() => {}); // its writer has the error
  }

  #send(frame: OutboundFrame, line: string): Promise<void> {
    if (this.#observer.active) this.#observer.report({ kind: 'sent', frame });
    this.#newest = this.#connection.send(line);
    return this.#newest;
  }
}

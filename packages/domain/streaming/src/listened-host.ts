import { errorText } from '@hexagent/checks';
import type {
  AgentMessage,
  AskFact,
  CacheFact,
  Clock,
  Host,
  SessionFeature,
  TranscriptMirrorFrame,
  TurnFailure,
  Warning,
  WarningListener,
} from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** The part of a conversation that the channel calls. */
export interface ChannelHost extends Required<Pick<Host, 'message' | 'activity' | 'broken' | 'exited'>> {
  /** Counts bytes as unread that are not delivered yet; negative when they are. */
  readonly hold: (bytes: number) => void;
  /** Ends the conversation with an error, and leaves its turn unfinished. */
  readonly suspend: (error: Error) => void;
  /** Stops the turn that runs, with this failure as its outcome. */
  readonly failTurn: (failure: TurnFailure) => void;
  /** Whether readers have so much unread that features should deliver no more. */
  readonly isBehind: () => boolean;
  /** Adds a fact of a feature to the events. */
  readonly append: (fact: AskFact | CacheFact) => void;
}

/** What the protocol calls when the agent sends a message, or exits. */
type Delivery = Required<Pick<Host, 'mirror' | 'message' | 'broken' | 'exited'>>;

/** How long listeners may hold back the last messages of an agent that has exited. */
const lastMessagesMs = 5000;

export interface ListenedHostParts {
  readonly listeners: readonly SessionFeature[];
  readonly host: Omit<Delivery, 'mirror'>;
  /** Counts bytes that are held back as unread; negative when they are delivered. */
  readonly hold: (bytes: number) => void;
  readonly clock: Clock;
  readonly warn?: WarningListener | undefined;
}

interface Held {
  /** Settles when the listeners have handled it; `undefined` where none returned a promise. */
  readonly awaited: Promise<unknown> | undefined;
  readonly bytes: number;
  readonly deliver: () => void;
}

/** Passes each message to the features before it is delivered, and holds it back until the promises that they return settle. */
export class ListenedHost {
  readonly #parts: ListenedHostParts;
  /** Held messages in order. The first one is waited for. */
  #held: Held[] = [];
  #stopClock: (() => void) | undefined;

  constructor(parts: ListenedHostParts) {
    this.#parts = parts;
  }

  /** The functions that the protocol calls in place of the host's. */
  get delivery(): Delivery {
    const { host } = this.#parts;
    return {
      mirror: (frame, bytes) => this.#mirror(frame, bytes),
      message: (message, bytes, line) => this.#message(message, bytes, line),
      broken: (error) => this.#last(() => host.broken(error)),
      exited: (exit) =>
        this.#last(
          () => host.exited(exit),
          this.#ask(({ exiting }) => exiting?.()),
        ),
    };
  }

  #mirror(frame: TranscriptMirrorFrame, bytes: number): void {
    const awaited = this.#ask((listener) => listener.receive?.(frame, bytes));
    if (awaited !== undefined) this.#hold({ awaited, bytes: 0, deliver: () => {} });
  }

  #message(message: AgentMessage, bytes: number, line: string): void {
    const awaited = this.#ask((listener) => listener.receive?.(message, bytes));
    const deliver = (): void => this.#parts.host.message(message, bytes, line);
    if (awaited === undefined && this.#held.length === 0) deliver();
    else this.#hold({ awaited, bytes, deliver });
  }

  /** The last calls wait for the messages before them, and for what listeners have to finish, but not for ever. */
  #last(deliver: () => void, awaited?: Promise<unknown>): void {
    if (this.#held.length === 0 && awaited === undefined) return deliver();
    this.#hold({ awaited, bytes: 0, deliver });
    const withinMs = Math.max(...this.#parts.listeners.map(({ exitingMs = lastMessagesMs }) => exitingMs));
    this.#stopClock ??= this.#parts.clock.after(withinMs, () => this.#release(this.#held.length));
  }

  #hold(held: Held): void {
    this.#held.push(held);
    this.#parts.hold(held.bytes);
    if (this.#held.length === 1) this.#wait(held);
  }

  #wait(held: Held): void {
    void held.awaited?.then(() => {
      if (this.#held[0] === held) this.#release(1);
    });
  }

  /** Delivers the first of what is held, and all behind it that waits for no listener. */
  #release(count: number): void {
    let left = count;
    for (;;) {
      const [held] = this.#held;
      if (held === undefined) break;
      if (left <= 0 && held.awaited !== undefined) return this.#wait(held);
      left -= 1;
      this.#parts.hold(-held.bytes);
      this.#held.shift();
      notify(held.deliver, (error) => this.#failedLate(error));
    }
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  #ask(call: (listener: SessionFeature) => unknown): Promise<unknown> | undefined {
    let asked: Promise<unknown>[] | undefined;
    for (const listener of this.#parts.listeners) {
      try {
        const awaited: unknown = call(listener);
        if (isThenable(awaited))
          (asked ??= []).push(Promise.resolve(awaited).catch((error: unknown) => this.#failed(listener, error)));
      } catch (error) {
        this.#failed(listener, error);
      }
    }
    return asked && Promise.all(asked);
  }

  #failed(listener: SessionFeature, cause: unknown): void {
    this.#warn(failedToReceive(listener, cause));
  }

  /** The protocol reports what its own call throws. A late call has no caller, and must not keep back what follows. */
  #failedLate(cause: unknown): void {
    const message = `Receiving a message that was held back failed: ${errorText(cause)}`;
    this.#warn({ code: 'HEXAGENT_CALLBACK_FAILED', source: 'message', message, cause });
  }

  #warn(warning: Warning): void {
    notify(() => this.#parts.warn?.(warning));
  }
}

export function failedToReceive({ name }: SessionFeature, cause: unknown): Warning {
  const message = `${name} failed to receive a message: ${errorText(cause)}`;
  return { code: 'HEXAGENT_CALLBACK_FAILED', source: name, message, cause };
}

/** Whether it is a promise, also of a library. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

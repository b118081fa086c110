import { attempt, Deferred } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import type { Clock, OutboxStore, SessionDirectory, SessionSignal, SessionSignals, UserInput } from '@hexagent/ports';
import { endOf, isOpenState, type MessageEnd, type Receipt } from './hosted-message.ts';

type RoutedInput = UserInput & { readonly uuid: string };

interface RoutingParts {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly signals: SessionSignals;
  readonly clock: Clock;
  readonly sweepMs: number;
  /** Whether something of the session is in memory here. */
  readonly isKnown: (id: string) => boolean;
  /** The sessions that have something pending, and are driven here or to be taken up. */
  readonly claimed: () => Promise<readonly string[]>;
  /** Whether those are for some host to take, rather than for the first. */
  readonly isShared: boolean;
  /** Ends an idle agent of the tenant of a session, which waits for a place. */
  readonly makeRoomFor: (id: string) => Promise<void>;
  /** Reads the pending messages of a session, and takes its lease where it is free. */
  readonly takeUp: (id: string) => Promise<'elsewhere' | 'pending' | 'nothing'>;
}

/** Brings messages to the processes that drive their sessions, and finds those that other processes stored for this one. */
export class Routing {
  readonly #parts: RoutingParts;
  /** By session and uuid: the messages that were stored here for other processes, and have no end. */
  readonly #stored = new Map<string, Map<string, Deferred<MessageEnd>>>();
  #stop: (() => void) | undefined;
  #cancelSweep = (): void => {};
  #isSweeping = false;
  /** Whether the next sweep is earlier than usual. */
  #isSweepSoon = false;
  /** Ends what keeps the process alive while an end is awaited. */
  #release: (() => void) | undefined;

  constructor(parts: RoutingParts) {
    this.#parts = parts;
  }

  /** Begins to listen, and to sweep. */
  start(): void {
    this.#stop ??= this.#listen();
  }

  /** Sends a message `here`. Where another process drives its session, stores it for that process. */
  async send(id: string, input: RoutedInput, here: () => Promise<Receipt>): Promise<Receipt> {
    try {
      return await here();
    } catch (error) {
      if (!SdkError.is(error) || (error.code !== 'SESSION_HELD' && error.code !== 'LEASE_LOST')) throw error;
      return await this.#store(id, input);
    }
  }

  /** Ends everything. What was stored continues in other processes. */
  stop(error: SdkError): void {
    this.#stop?.();
    // Not to be started again.
    this.#stop = () => {};
    for (const messages of this.#stored.values()) for (const end of messages.values()) end.reject(error);
    this.#stored.clear();
    this.#review();
  }

  async #store(id: string, { uuid, ...input }: RoutedInput): Promise<Receipt> {
    const { outbox, directory, signals } = this.#parts;
    if ((await directory.get(id)) === undefined) throw new SdkError('SESSION_NOT_FOUND', `There is no session ${id}.`);
    const answer = await outbox.enqueue({ session: id, uuid, input });
    const state = answer.kind === 'accepted' ? 'queued' : answer.state;
    const done = isOpenState(state) ? this.#endOf(id, uuid) : Promise.resolve(endOf(state));
    signals.send({ session: id, kind: 'wake' });
    return { uuid, kind: answer.kind, state, isElsewhere: true, done };
  }

  #listen(): () => void {
    const unsubscribe = this.#parts.signals.subscribe((signal) => this.#receive(signal));
    this.#sweepLater();
    return () => {
      unsubscribe();
      this.#cancelSweep();
    };
  }

  #sweepLater(): void {
    const { clock, sweepMs } = this.#parts;
    this.#cancelSweep();
    this.#cancelSweep = clock.after(this.#isSweepSoon ? sweepMs / 8 : sweepMs, () => void this.#sweep());
  }

  #sweepSoon(): void {
    if (this.#isSweepSoon) return;
    this.#isSweepSoon = true;
    if (!this.#isSweeping) this.#sweepLater();
  }

  /** Finds what no signal reported, and what a process left that has exited. */
  async #sweep(): Promise<void> {
    const { claimed } = this.#parts;
    const stop = this.#stop;
    this.#isSweeping = true;
    this.#isSweepSoon = false;
    // The next sweep tries again. A store that keeps failing is reported by the next call that needs it.
    const found = await claimed().catch(() => []);
    const taken = await Promise.all(found.map((id) => this.#takeUp(id)));
    // What a process leaves may be taken by several hosts at once, each of which counted with what it saw of the others.
    if (taken.includes(true)) this.#isSweepSoon = true;
    await Promise.all([...this.#stored.keys()].map((id) => this.#settle(id)));
    this.#isSweeping = false;
    if (stop === this.#stop) this.#sweepLater();
  }

  #receive({ session, kind }: SessionSignal): void {
    if (kind === 'crowded') return void attempt(() => this.#parts.makeRoomFor(session)).catch(() => {});
    void this.#settle(session);
    // A worker that ends gives back many at once: which of them falls to this host is decided for all together.
    if (kind === 'moved' && this.#parts.isShared) this.#sweepSoon();
    else if (kind === 'moved' || (kind === 'wake' && this.#parts.isKnown(session))) void this.#takeUp(session);
  }

  /** Resolves with whether this host has the session from now on, and had nothing of it before. */
  async #takeUp(id: string): Promise<boolean> {
    const { isKnown, takeUp } = this.#parts;
    const wasKnown = isKnown(id);
    try {
      return (await takeUp(id)) === 'pending' && !wasKnown;
    } catch {
      return false; // as above
    }
  }

  /** Settles what was stored here for a session and is finished. */
  async #settle(id: string): Promise<void> {
    const messages = this.#stored.get(id) ?? new Map<string, Deferred<MessageEnd>>();
    try {
      for (const [uuid, end] of [...messages]) {
        const state = await this.#parts.outbox.stateOf({ session: id, uuid });
        if (state !== undefined && isOpenState(state)) continue;
        messages.delete(uuid);
        // Of a session that was deleted, nothing is stored.
        end.resolve(endOf(state ?? 'cancelled'));
      }
    } catch {
      // As above.
    }
    if (messages.size === 0) this.#stored.delete(id);
    this.#review();
  }

  #endOf(id: string, uuid: string): Promise<MessageEnd> {
    const messages = this.#stored.get(id) ?? new Map<string, Deferred<MessageEnd>>();
    const end = messages.get(uuid) ?? new Deferred<MessageEnd>().handled();
    this.#stored.set(id, messages.set(uuid, end));
    this.#review();
    return end.promise;
  }

  /** Nothing else keeps this process alive while another one runs a message: it would end in the middle of an `await`. */
  #review(): void {
    if (this.#stored.size > 0) {
      this.#release ??= this.#parts.clock.after(Infinity, () => {}, { keepsAlive: true });
      return;
    }
    this.#release?.();
    this.#release = undefined;
  }
}

import { Inbox, onAbort } from '@hexagent/async';
import { SdkError, type LogPlace, type SessionEvent, type SessionFact, type SessionLog } from '@hexagent/ports';
import { Fences } from './fences.ts';

export interface MemoryLogOptions {
  /** How many facts of a session are kept, and how many a reader may be behind: at least so many, at most twice as many. Default 1000. */
  readonly keep?: number | undefined;
  /** The time of day, in milliseconds since 1970: what an earlier process counted is smaller. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Keeps the last facts of the turns that are open, for readers in this process, and nothing of a session at rest. */
export class MemoryLog implements SessionLog {
  readonly #fences = new Fences();
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #keep: number;
  readonly #epoch: string;
  #count = 0;

  constructor({ keep = 1000, now = Date.now }: MemoryLogOptions = {}) {
    this.#keep = keep;
    this.#epoch = digits(now());
  }

  async append(session: string, facts: readonly SessionFact[], fence: number): Promise<string> {
    this.#fences.pass(session, fence);
    const log = this.#of(session);
    for (const fact of facts) {
      this.#count += 1;
      log.add({ ...fact, seq: this.#seq });
    }
    this.#review(session, log);
    return this.#seq;
  }

  read(session: string, from: LogPlace, signal?: AbortSignal): AsyncIterable<SessionEvent> {
    const log = this.#of(session);
    const leave = (): void => {
      log.leave(reader);
      this.#review(session, log);
    };
    const reader: Inbox<SessionEvent> = new Inbox({ onReturn: leave });
    const stopListening = onAbort(signal, () => {
      reader.end();
      leave();
    });
    if (!reader.ended) log.begin(reader, from, stopListening);
    return reader;
  }

  async delete(session: string, fence: number): Promise<void> {
    this.#fences.pass(session, fence);
    this.#sessions.get(session)?.end();
    this.#sessions.delete(session);
  }

  get #seq(): string {
    return `${this.#epoch}${digits(this.#count)}`;
  }

  #of(session: string): SessionFacts {
    const log = this.#sessions.get(session) ?? new SessionFacts(this.#keep);
    this.#sessions.set(session, log);
    return log;
  }

  #review(session: string, log: SessionFacts): void {
    if (log.isUnused && this.#sessions.get(session) === log) this.#sessions.delete(session);
  }
}

/** The facts of one session since nothing was open, the last of them where they are many. */
class SessionFacts {
  /** Each with what takes off the listener of its signal. */
  readonly #readers = new Map<Inbox<SessionEvent>, () => void>();
  readonly #keep: number;
  readonly #events: SessionEvent[] = [];
  readonly #unfinished = new Set<string>();
  /** The turns that run, and what a person is asked. */
  readonly #running = new Set<string>();
  #isHeld = false;
  /** Whether the beginning of what is open was dropped. */
  #isCut = false;
  /** The `seq` of the last fact that was dropped: a reader continues behind it. */
  #dropped: string | undefined;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Whether nothing of it is needed. */
  get isUnused(): boolean {
    return !this.#isOpen && this.#readers.size === 0;
  }

  get #isOpen(): boolean {
    return this.#unfinished.size > 0 || this.#running.size > 0 || this.#isHeld;
  }

  add(event: SessionEvent): void {
    this.#events.push(event);
    this.#note(event);
    if (!this.#isOpen) this.#drop(this.#events.length);
    else if (this.#events.length > 2 * this.#keep) this.#drop(this.#keep);
    for (const reader of this.#readers.keys()) this.#give(reader, event);
  }

  begin(reader: Inbox<SessionEvent>, from: LogPlace, stopListening: () => void): void {
    this.#readers.set(reader, stopListening);
    const place = this.#placeOf(from);
    if (place === undefined) return this.#discard(reader);
    for (const event of this.#events.slice(place)) reader.push(event, 1);
  }

  leave(reader: Inbox<SessionEvent>): void {
    this.#readers.get(reader)?.();
    this.#readers.delete(reader);
  }

  end(): void {
    for (const reader of this.#readers.keys()) {
      reader.end();
      this.leave(reader);
    }
  }

  #drop(count: number): void {
    this.#dropped = this.#events.splice(0, count).at(-1)?.seq;
    this.#isCut = this.#isOpen;
  }

  #placeOf(from: LogPlace): number | undefined {
    if (from === 'now') return this.#events.length;
    if (from === 'turn') return this.#isCut ? undefined : 0;
    if (from.after === this.#dropped) return 0;
    const place = this.#events.findLastIndex(({ seq }) => seq === from.after);
    return place === -1 ? undefined : place + 1;
  }

  #give(reader: Inbox<SessionEvent>, event: SessionEvent): void {
    if (reader.size < 2 * this.#keep) reader.push(event, 1);
    else this.#discard(reader);
  }

  #discard(reader: Inbox<SessionEvent>): void {
    reader.discard();
    reader.end({
      error: new SdkError('MESSAGES_DISCARDED', 'The facts of the session that come next are not kept any more.'),
    });
    this.leave(reader);
  }

  #note(fact: SessionFact): void {
    switch (fact.kind) {
      case 'accepted':
        return void this.#unfinished.add(fact.uuid);
      case 'outbox':
        if (fact.state === 'completed' || fact.state === 'cancelled') this.#unfinished.delete(fact.uuid);
        return;
      case 'turn_started':
        return void this.#running.add(fact.turn);
      case 'turn_ended':
      case 'turn_cut':
        return void this.#running.delete(fact.turn);
      case 'ask_opened':
        return void this.#running.add(`ask ${fact.record.id}`);
      case 'ask_settled':
        return void this.#running.delete(`ask ${fact.record.id}`);
      case 'held':
        this.#isHeld = fact.isHeld;
        return;
      case 'state':
        if (fact.state === 'parked' || fact.state === 'crashed') this.#running.clear();
        return;
      case 'dropped':
        this.#unfinished.clear();
        return this.#running.clear();
      case 'crashed':
      case 'message':
    }
  }
}

/** Compared as texts, these are in the order of the numbers. */
function digits(number: number): string {
  return Math.floor(number).toString(36).padStart(11, '0');
}

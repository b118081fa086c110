import { isRecord } from '@hexagent/checks';
import type { OutboxAnswer, OutboxEntry, OutboxState } from '@hexagent/ports';
import { Fences, type LeaseLost } from './fenced.ts';
import { deepFreeze } from './freeze.ts';
import type { Fold } from './fold.ts';

export type OutboxChange =
  | {
      readonly t: 'enqueue';
      readonly session: string;
      readonly uuid: string;
      readonly input: OutboxEntry['input'];
    }
  | {
      readonly t: 'mark';
      readonly session: string;
      readonly uuid: string;
      readonly state: OutboxState;
      readonly fence: number;
    }
  | { readonly t: 'delete'; readonly session: string; readonly fence: number }
  /** A part of a session as it is when the lines before are replaced; others may follow. */
  | {
      readonly t: 'session';
      readonly session: string;
      readonly fence: number;
      /** The number of its last message. Not in the lines of earlier versions, which did not count. */
      readonly last?: number;
      readonly pending: readonly OutboxEntry[];
      readonly done: Readonly<Record<string, OutboxState>>;
    };

export type OutboxVerdict = OutboxAnswer | LeaseLost | { readonly kind: 'applied' };

const applied = { kind: 'applied' } as const;
/** A message moves to a higher rank, from those below the last. */
const ranks: Readonly<Record<OutboxState, number>> = { queued: 0, sent: 1, started: 2, completed: 3, cancelled: 3 };

interface Kept {
  readonly entry: OutboxEntry;
  /** Of all messages that were stored, the how many-th it is. */
  readonly place: number;
}

interface SessionMessages {
  last: number;
  /** In the order in which they were stored. */
  readonly pending: Map<string, Kept>;
  readonly done: Map<string, OutboxState>;
}

/** The state that the lines about messages add up to. */
export class OutboxFold implements Fold<OutboxChange, OutboxVerdict> {
  readonly #keepFinished: number;
  readonly #fences = new Fences();
  readonly #sessions = new Map<string, SessionMessages>();
  #stored = 0;

  constructor(keepFinished: number) {
    this.#keepFinished = keepFinished;
  }

  stateOf(session: string, uuid: string): OutboxState | undefined {
    const messages = this.#sessions.get(session);
    return messages?.pending.get(uuid)?.entry.state ?? messages?.done.get(uuid);
  }

  pending(session: string): readonly OutboxEntry[] {
    return [...(this.#sessions.get(session)?.pending.values() ?? [])].map(({ entry }) => entry);
  }

  claimable(): readonly string[] {
    const waiting = [...this.#sessions].flatMap(([session, { pending }]) => {
      const [first] = pending.values();
      return first === undefined ? [] : [{ session, place: first.place }];
    });
    return waiting.toSorted((one, other) => one.place - other.place).map(({ session }) => session);
  }

  apply(change: OutboxChange): OutboxVerdict {
    // Read from a file: another version may have written something else.
    if (!isWhole(change)) return applied;
    if (change.t === 'enqueue') return this.#enqueue(change);
    const lost = this.#fences.pass(change.session, change.fence);
    if (lost !== undefined) return lost;
    switch (change.t) {
      case 'mark':
        this.#mark(change);
        return applied;
      case 'delete':
        this.#sessions.delete(change.session);
        return applied;
      case 'session':
        this.#restore(change);
        return applied;
      default:
        return applied;
    }
  }

  reset(): void {
    this.#fences.clear();
    this.#sessions.clear();
  }

  *snapshot(): Iterable<OutboxChange> {
    const part = (session: string): Extract<OutboxChange, { t: 'session' }> => {
      const { last } = this.#sessions.get(session) ?? emptySession();
      return { t: 'session', session, fence: this.#fences.of(session), last, pending: [], done: {} };
    };
    // Also of sessions that were deleted: an older lease must not write to them.
    for (const session of new Set([...this.#sessions.keys(), ...[...this.#fences.all()].map(([id]) => id)]))
      // In pieces, since a session may have more than a line can hold.
      for (const done of inParts([...(this.#sessions.get(session)?.done ?? [])]))
        yield { ...part(session), done: Object.fromEntries(done) };
    const pending = [...this.#sessions.values()].flatMap((messages) => [...messages.pending.values()]);
    for (const { entry } of pending.toSorted((one, other) => one.place - other.place))
      yield { ...part(entry.session), pending: [entry] };
  }

  #enqueue({ session, uuid, input }: Extract<OutboxChange, { t: 'enqueue' }>): OutboxAnswer {
    const state = this.stateOf(session, uuid);
    if (state !== undefined) return { kind: 'duplicate', state };
    const messages = this.#messagesOf(session);
    const number = messages.last + 1;
    this.#keep(messages, { session, uuid, input, state: 'queued', number });
    return { kind: 'accepted', number };
  }

  #mark({ session, uuid, state }: Extract<OutboxChange, { t: 'mark' }>): void {
    const { pending, done } = this.#messagesOf(session);
    const kept = pending.get(uuid);
    if (kept === undefined || !(ranks[state] > ranks[kept.entry.state])) return;
    if (state === 'completed' || state === 'cancelled') {
      pending.delete(uuid);
      done.set(uuid, state);
      const [oldest] = done.keys();
      if (done.size > this.#keepFinished && oldest !== undefined) done.delete(oldest);
    } else if (state !== 'queued') pending.set(uuid, { ...kept, entry: deepFreeze({ ...kept.entry, state }) });
  }

  #restore({ session, last, pending, done }: Extract<OutboxChange, { t: 'session' }>): void {
    const count = last ?? Object.keys(done).length;
    if (count === 0) return;
    const messages = this.#messagesOf(session);
    messages.last = Math.max(messages.last, count);
    for (const entry of pending) this.#keep(messages, entry);
    for (const [uuid, state] of Object.entries(done)) messages.done.set(uuid, state);
  }

  #keep(messages: SessionMessages, entry: OutboxEntry): void {
    this.#stored += 1;
    messages.last = Math.max(messages.last, entry.number);
    messages.pending.set(entry.uuid, { entry: deepFreeze(entry), place: this.#stored });
  }

  #messagesOf(session: string): SessionMessages {
    const messages = this.#sessions.get(session) ?? emptySession();
    this.#sessions.set(session, messages);
    return messages;
  }
}

const emptySession = (): SessionMessages => ({ last: 0, pending: new Map(), done: new Map() });

const partSize = 10_000;

/** At least one part. */
function* inParts<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from === 0 || from < list.length; from += partSize) yield list.slice(from, from + partSize);
}

function isWhole(change: OutboxChange): boolean {
  if (typeof change.session !== 'string') return false;
  if (change.t === 'enqueue') return isEntry(change);
  if (!Number.isSafeInteger(change.fence)) return false;
  if (change.t === 'session')
    return (
      (change.last === undefined || Number.isSafeInteger(change.last)) &&
      isRecord(change.done) &&
      isList(Object.values(change.done), isState) &&
      isList(change.pending, isPending)
    );
  return change.t !== 'mark' || isState(change.state);
}

const isState = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(ranks, value);

function isEntry(value: unknown): boolean {
  if (!isRecord(value) || typeof value['uuid'] !== 'string' || !isRecord(value['input'])) return false;
  const { content } = value['input'];
  return typeof content === 'string' || Array.isArray(content);
}

const isPending = (value: unknown): boolean =>
  isEntry(value) && isRecord(value) && isState(value['state']) && Number.isSafeInteger(value['number']);

const isList = (value: unknown, isOne: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

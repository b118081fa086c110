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
      readonly fence: number;
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
      readonly pending: readonly OutboxEntry[];
      readonly done: Readonly<Record<string, OutboxState>>;
    };

export type OutboxVerdict = OutboxAnswer | LeaseLost | { readonly kind: 'applied' };

const applied = { kind: 'applied' } as const;
/** A message moves to a higher rank, from those below the last. */
const ranks: Readonly<Record<OutboxState, number>> = { queued: 0, sent: 1, started: 2, completed: 3, cancelled: 3 };

interface SessionMessages {
  /** In the order in which they were stored. */
  readonly pending: Map<string, OutboxEntry>;
  readonly done: Map<string, OutboxState>;
}

/** The state that the lines about messages add up to. */
export class OutboxFold implements Fold<OutboxChange, OutboxVerdict> {
  readonly #fences = new Fences();
  readonly #sessions = new Map<string, SessionMessages>();

  stateOf(session: string, uuid: string): OutboxState | undefined {
    const messages = this.#sessions.get(session);
    return messages?.pending.get(uuid)?.state ?? messages?.done.get(uuid);
  }

  pending(session: string): readonly OutboxEntry[] {
    return [...(this.#sessions.get(session)?.pending.values() ?? [])];
  }

  unfinished(): readonly string[] {
    return [...this.#sessions].filter(([, { pending }]) => pending.size > 0).map(([session]) => session);
  }

  apply(change: OutboxChange): OutboxVerdict {
    // Read from a file: another version may have written something else.
    if (!isWhole(change)) return applied;
    const lost = this.#fences.pass(change.session, change.fence);
    if (lost !== undefined) return lost;
    switch (change.t) {
      case 'enqueue':
        return this.#enqueue(change);
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
    for (const [session, fence] of this.#fences.all()) {
      const { pending, done } = this.#sessions.get(session) ?? emptySession();
      // In pieces, since a session may have more than a line can hold.
      for (const part of inParts([...done]))
        yield { t: 'session', session, fence, pending: [], done: Object.fromEntries(part) };
      for (const { uuid, input, state } of pending.values()) {
        yield { t: 'enqueue', session, uuid, input, fence };
        if (state !== 'queued') yield { t: 'mark', session, uuid, state, fence };
      }
    }
  }

  #enqueue({ session, uuid, input }: Extract<OutboxChange, { t: 'enqueue' }>): OutboxAnswer {
    const state = this.stateOf(session, uuid);
    if (state !== undefined) return { kind: 'duplicate', state };
    this.#messagesOf(session).pending.set(uuid, deepFreeze({ session, uuid, input, state: 'queued' }));
    return { kind: 'accepted' };
  }

  #mark({ session, uuid, state }: Extract<OutboxChange, { t: 'mark' }>): void {
    const { pending, done } = this.#messagesOf(session);
    const entry = pending.get(uuid);
    if (entry === undefined || !(ranks[state] > ranks[entry.state])) return;
    if (state === 'completed' || state === 'cancelled') {
      pending.delete(uuid);
      done.set(uuid, state);
    } else if (state !== 'queued') pending.set(uuid, deepFreeze({ ...entry, state }));
  }

  #restore({ session, pending, done }: Extract<OutboxChange, { t: 'session' }>): void {
    if (pending.length === 0 && Object.keys(done).length === 0) return;
    const messages = this.#messagesOf(session);
    for (const entry of pending) messages.pending.set(entry.uuid, deepFreeze(entry));
    for (const [uuid, state] of Object.entries(done)) messages.done.set(uuid, state);
  }

  #messagesOf(session: string): SessionMessages {
    const messages = this.#sessions.get(session) ?? emptySession();
    this.#sessions.set(session, messages);
    return messages;
  }
}

const emptySession = (): SessionMessages => ({ pending: new Map(), done: new Map() });

const partSize = 10_000;

/** At least one part. */
function* inParts<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from === 0 || from < list.length; from += partSize) yield list.slice(from, from + partSize);
}

function isWhole(change: OutboxChange): boolean {
  if (typeof change.session !== 'string' || !Number.isSafeInteger(change.fence)) return false;
  if (change.t === 'session')
    return isRecord(change.done) && isList(Object.values(change.done), isState) && isList(change.pending, isPending);
  if (change.t === 'enqueue') return isEntry(change);
  return change.t !== 'mark' || isState(change.state);
}

const isState = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(ranks, value);

function isEntry(value: unknown): boolean {
  if (!isRecord(value) || typeof value['uuid'] !== 'string' || !isRecord(value['input'])) return false;
  const { content } = value['input'];
  return typeof content === 'string' || Array.isArray(content);
}

const isPending = (value: unknown): boolean => isEntry(value) && isRecord(value) && isState(value['state']);

const isList = (value: unknown, isOne: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

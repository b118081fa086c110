import { anyText, flag, given, list, number, oneOf, record, membersOf, type Check } from '@hexagent/checks';
import type { ChatHistoryPage, ChatSettlement, ChatStart, ChatState, ChatStream, ChatSummary } from '@hexagent/ports';
import type { Answer } from './calls.ts';

/*
 * Reads what a worker answered. It may have another version, or may not be what it was: all of it is checked, and what is not known is a
 * `TypeError`.
 */

export type ReadAnswer<T> = (answer: Answer) => T;

const state: Check<ChatState> = oneOf('idle', 'failed', 'running', 'awaiting-approval', 'held', 'crashed');
const orNone =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value, place) =>
    value === undefined ? undefined : check(value, place);
const value =
  <T>(check: Check<T>): ReadAnswer<T> =>
  (answer) => {
    if (answer.stream !== undefined) throw new TypeError('A stream was not asked for.');
    return check(answer.value, 'value');
  };

export const toFlag: ReadAnswer<boolean> = value(flag);

const summary = record<ChatSummary>(
  { id: anyText, title: anyText, updatedAt: number({ least: 0 }), state },
  { required: ['id', 'updatedAt', 'state'] },
);
export const toSummaries: ReadAnswer<readonly ChatSummary[]> = (answer) =>
  value(list(summary))(answer).map((each) => ({ ...each, title: each.title }));

export const toPage: ReadAnswer<ChatHistoryPage | undefined> = value(
  orNone(
    record<ChatHistoryPage>(
      { messages: list(given()), hasEarlier: flag, isRunning: flag, cursor: anyText, state },
      { required: ['messages', 'hasEarlier', 'isRunning', 'cursor', 'state'] },
    ),
  ),
);

const only = <Kind extends string>(kind: Kind): Check<{ readonly kind: Kind }> => record({ kind: oneOf(kind) });

const settlements = {
  settled: only('settled'),
  already: record<{ kind: 'already'; state: string }>(
    { kind: oneOf('already'), state: anyText },
    { required: ['state'] },
  ),
  unknown: only('unknown'),
  refused: record<{ kind: 'refused'; reason: string }>(
    { kind: oneOf('refused'), reason: anyText },
    { required: ['reason'] },
  ),
};

const starts = {
  elsewhere: only('elsewhere'),
  busy: only('busy'),
  unknown: only('unknown'),
  full: record<{ kind: 'full'; retryAfterMs?: number }>({ kind: oneOf('full'), retryAfterMs: number({ least: 0 }) }),
  duplicate: (found: unknown, place: string) => ({ ...only('duplicate')(found, place), stream: undefined }),
};

function byKind<Kind extends string, T>(checks: Readonly<Record<Kind, Check<T>>>): Check<T> {
  const kind = oneOf(...(Object.keys(checks) as Kind[])); // by its type, a table has exactly these
  return (found, place) => checks[kind(new Map(membersOf(found, place)).get('kind'), `${place}.kind`)](found, place);
}

export const toSettlement: ReadAnswer<ChatSettlement> = value(
  byKind<keyof typeof settlements, ChatSettlement>(settlements),
);

const withoutStream = value(byKind<keyof typeof starts, ChatStart>(starts));
const withStream = record<{ kind: 'accepted' | 'duplicate' }>(
  { kind: oneOf('accepted', 'duplicate') },
  { required: ['kind'] },
);

export const toStart: ReadAnswer<ChatStart> = (answer) => {
  if (answer.stream === undefined) return withoutStream(answer);
  return { ...withStream(answer.value, 'value'), stream: answer.stream };
};

export const toStream: ReadAnswer<ChatStream | undefined> = ({ value: other, stream }) => {
  if (other !== undefined) throw new TypeError('Only a stream was asked for.');
  return stream;
};

/** The states of those chats that were asked for: another name, such as one that objects have by themselves, is left out. */
export function toStates(chatIds: readonly string[]): ReadAnswer<Readonly<Record<string, ChatState>>> {
  const asked = new Set(chatIds);
  return value((found, place) => {
    const members = membersOf(found, place).filter(([id]) => asked.has(id));
    return Object.fromEntries(members.map(([id, each]) => [id, state(each, `${place}.${id}`)]));
  });
}

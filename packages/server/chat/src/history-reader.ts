import { SdkError, type StoredMessage, type StoredSessions } from '@hexagent/ports';
import { toUiMessages, type SubagentView, type UiMessage } from '@hexagent/ui-stream';

/** Where a session is stored. */
export interface StoredPlace {
  readonly sessions: Pick<StoredSessions, 'messages' | 'subagents' | 'subagentMessages'>;
  readonly dir: string;
  readonly sessionId: string;
}

/** The messages before one, or the last ones. */
export interface Stretch {
  /** Oldest first. */
  readonly messages: readonly UiMessage[];
  /** Whether there are earlier ones. */
  readonly hasEarlier: boolean;
  /** Whether the whole history has a message of this id. */
  has(id: string): boolean;
}

interface StretchRequest {
  readonly limit: number;
  /** The id of a message. With an unknown id, the stretch is empty. */
  readonly before?: string | undefined;
}

/** Which messages a history has, without their content. */
interface HistoryIndex {
  readonly ids: readonly string[];
  /** The position of each message among the stored ones; -1 for an answer. */
  readonly starts: readonly number[];
}

/** How many sessions are remembered. The index of one with 10,000 messages takes about a megabyte. */
const remembered = 32;

/**
 * Reads the history of sessions a stretch at a time. The first time it reads all of a transcript, and notes where each message
 * of a person is; then only the stretch, as long as the transcript is the same up to there.
 */
export class HistoryReader {
  readonly #subagents: SubagentView | undefined;
  readonly #indexes = new Map<string, HistoryIndex>();

  constructor({ subagents }: { readonly subagents: SubagentView | undefined }) {
    this.#subagents = subagents;
  }

  async read(place: StoredPlace, request: StretchRequest): Promise<Stretch> {
    const index = this.#indexes.get(place.sessionId);
    return (index && (await this.#readPart(place, index, request))) ?? (await this.#readAll(place, request));
  }

  async #readAll(place: StoredPlace, request: StretchRequest): Promise<Stretch> {
    const { stored, messages } = await this.#translate(place, 0);
    const index = indexOf(messages, stored, 0);
    this.#remember(place.sessionId, index);
    return stretchOf(index, 0, messages, request);
  }

  /** `undefined` where the transcript is another one than it was, or where all of it is needed. */
  async #readPart(
    place: StoredPlace,
    { ids, starts }: HistoryIndex,
    request: StretchRequest,
  ): Promise<Stretch | undefined> {
    const { limit, before } = request;
    const end = before === undefined ? ids.length : ids.indexOf(before);
    if (end === 0)
      return before === undefined ? undefined : { messages: [], hasEarlier: false, has: (id) => ids.includes(id) };
    // An answer has the id of the message that it answers, so the stretch is read from a message of a person on.
    const first = starts.findLastIndex((start, at) => start !== -1 && at <= Math.max(0, end - limit));
    const from = starts[first];
    if (end === -1 || from === undefined) return undefined;
    const next = before === undefined ? -1 : starts.findIndex((start, at) => start !== -1 && at >= end);
    const to = starts[next];
    const { stored, messages } = await this.#translate(place, from, to === undefined ? undefined : to - from);
    const expected = ids.slice(first, to === undefined ? undefined : next);
    if (expected.some((id, at) => messages[at]?.id !== id)) return undefined;
    if (to !== undefined) return stretchOf({ ids, starts }, first, messages, request);
    const rest = indexOf(messages, stored, from);
    const index = { ids: [...ids.slice(0, first), ...rest.ids], starts: [...starts.slice(0, first), ...rest.starts] };
    this.#remember(place.sessionId, index);
    return stretchOf(index, first, messages, request);
  }

  async #translate(
    { sessions, dir, sessionId }: StoredPlace,
    offset: number,
    limit?: number,
  ): Promise<{ readonly stored: readonly StoredMessage[]; readonly messages: readonly UiMessage[] }> {
    const asked = { dir, includeToolUseResults: true, offset, limit };
    const stored = await orEmpty(collected(sessions.messages(sessionId, asked)));
    const agents = await orEmpty(sessions.subagents(sessionId, { dir }));
    const ofSubagents = await Promise.all(
      agents.map((id) => collected(sessions.subagentMessages(sessionId, id, { dir }))),
    );
    const options = { subagents: this.#subagents, subagentMessages: ofSubagents.flat() };
    return { stored, messages: toUiMessages(stored, options) };
  }

  #remember(sessionId: string, index: HistoryIndex): void {
    this.#indexes.delete(sessionId);
    this.#indexes.set(sessionId, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > remembered && oldest !== undefined) this.#indexes.delete(oldest);
  }
}

/** The stored messages begin at `offset`. */
function indexOf(messages: readonly UiMessage[], stored: readonly StoredMessage[], offset: number): HistoryIndex {
  const places = new Map(stored.map(({ uuid }, at) => [uuid, offset + at]));
  const starts = messages.map(({ id, role }) => (role === 'user' ? (places.get(id) ?? -1) : -1));
  return { ids: messages.map(({ id }) => id), starts };
}

/** The messages are those of the index from `first` on. */
function stretchOf(
  { ids }: HistoryIndex,
  first: number,
  messages: readonly UiMessage[],
  { limit, before }: StretchRequest,
): Stretch {
  const end = Math.max(0, before === undefined ? ids.length : ids.indexOf(before));
  const begin = Math.max(0, end - limit);
  return {
    messages: messages.slice(begin - first, end - first),
    hasEarlier: begin > 0,
    has: (id) => ids.includes(id),
  };
}

/** A chat whose agent has stored nothing yet has an empty history. */
async function orEmpty<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return await list.catch((error: unknown) => {
    if (SdkError.is(error) && error.code === 'SESSION_NOT_FOUND') return [];
    throw error;
  });
}

async function collected<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

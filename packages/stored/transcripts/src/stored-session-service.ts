import { kindOf } from '@hexagent/checks';
import {
  SdkError,
  type FindStoredSession,
  type ForkStoredSession,
  type Ids,
  type ListStoredSessions,
  type Page,
  type ReadStoredMessages,
  type SessionTranscript,
  type StoredMessage,
  type StoredSession,
  type StoredSessions,
  type TranscriptEntry,
  type Transcripts,
} from '@hexagent/ports';
import { forkedEntries } from './forking.ts';
import { messagesOf, subagentMessagesOf, type MessageBatches } from './session-messages.ts';
import { nameOf, outlineOf } from './session-outline.ts';

/** So many sessions are read at once: enough to keep a disk busy, and few enough to hold little. */
const atOnce = 16;

export interface StoredSessionParts {
  readonly transcripts: Transcripts;
  readonly ids: Ids;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reads and changes the sessions that are stored in one place. */
export class StoredSessionService implements StoredSessions {
  readonly #transcripts: Transcripts;
  readonly #ids: Ids;
  readonly #now: () => number;

  constructor({ transcripts, ids, now }: StoredSessionParts) {
    this.#transcripts = transcripts;
    this.#ids = ids;
    this.#now = now;
  }

  async list({ includeProgrammatic, limit = Infinity, offset = 0, ...scope }: ListStoredSessions = {}): Promise<
    StoredSession[]
  > {
    const transcripts = await this.#transcripts.list(scope);
    const wanted = offset + limit;
    const found: StoredSession[] = [];
    for (let next = 0; next < transcripts.length && found.length < wanted; next += atOnce) {
      const some = transcripts.slice(next, next + atOnce);
      const outlines = await Promise.all(some.map((transcript) => outlineOf(transcript, { includeProgrammatic })));
      found.push(...outlines.filter((outline) => outline !== undefined));
    }
    return found.slice(offset, wanted);
  }

  async get(sessionId: string, scope: FindStoredSession = {}): Promise<StoredSession | undefined> {
    const transcript = await this.#transcripts.find(sessionId, scope);
    return transcript && (await outlineOf(transcript));
  }

  messages(
    sessionId: string,
    { dir, ...options }: ReadStoredMessages = {},
  ): AsyncGenerator<StoredMessage, void, undefined> {
    return oneByOne(async () => messagesOf(await this.#find(sessionId, { dir }), options));
  }

  async subagents(sessionId: string, scope: FindStoredSession = {}): Promise<readonly string[]> {
    return await (await this.#find(sessionId, scope)).subagents();
  }

  subagentMessages(
    sessionId: string,
    agentId: string,
    { dir, ...page }: FindStoredSession & Page = {},
  ): AsyncGenerator<StoredMessage, void, undefined> {
    return oneByOne(async () => {
      const subagent = await (await this.#find(sessionId, { dir })).subagent(agentId);
      return subagent === undefined ? [] : subagentMessagesOf(subagent, sessionId, page);
    });
  }

  async rename(sessionId: string, title: string, scope: FindStoredSession = {}): Promise<void> {
    const customTitle = textOf(title, 'title');
    await this.#append(sessionId, scope, { type: 'custom-title', customTitle, sessionId });
  }

  async tag(sessionId: string, tag: string | null, scope: FindStoredSession = {}): Promise<void> {
    // An entry with an empty tag removes the tag.
    const text = tag === null ? '' : textOf(tag, 'tag', withoutLookalikes);
    await this.#append(sessionId, scope, { type: 'tag', tag: text, sessionId });
  }

  async archive(sessionId: string, scope: FindStoredSession = {}): Promise<void> {
    await (await this.#find(sessionId, scope)).markArchived(true);
  }

  async unarchive(sessionId: string, scope: FindStoredSession = {}): Promise<void> {
    await (await this.#find(sessionId, scope)).markArchived(false);
  }

  async delete(sessionId: string, scope: FindStoredSession = {}): Promise<void> {
    await (await this.#find(sessionId, scope)).delete();
  }

  async fork(sourceId: string, { upToMessageId, title, dir }: ForkStoredSession = {}): Promise<{ sessionId: string }> {
    const source = await this.#find(sourceId, { dir });
    const sessionId = this.#ids.uuid();
    const now = new Date(this.#now()).toISOString();
    const entries = await forkedEntries({ source, sourceId, sessionId, upToMessageId, ids: this.#ids, now });
    const last = await this.#lastEntries(source, { sessionId, title, now });
    await source.addSession(sessionId, joined(entries, last));
    return { sessionId };
  }

  /** The entries after the messages of a copy: its title, and the tools that the agent has to load again. */
  async #lastEntries(
    source: SessionTranscript,
    { sessionId, title, now }: { readonly sessionId: string; readonly title: string | undefined; readonly now: string },
  ): Promise<readonly TranscriptEntry[]> {
    const { newest } = await source.outline({ isEnough: () => true, newest: ['tools-used'] });
    const customTitle = title?.trim() || `${(await nameOf(source)) ?? 'Forked session'} (fork)`;
    const tools = newest.flatMap((entry) =>
      entry.type === 'tools-used' && entry['sessionId'] === source.sessionId
        ? [{ type: entry.type, tools: entry['tools'], sessionId }]
        : [],
    );
    return [...tools, { type: 'custom-title', sessionId, customTitle, uuid: this.#ids.uuid(), timestamp: now }];
  }

  async #append(sessionId: string, scope: FindStoredSession, entry: TranscriptEntry): Promise<void> {
    await (await this.#find(sessionId, scope)).append([entry]);
  }

  async #find(sessionId: string, scope: FindStoredSession): Promise<SessionTranscript> {
    const transcript = await this.#transcripts.find(sessionId, scope);
    if (transcript !== undefined) return transcript;
    const where = scope.dir === undefined ? '' : ` in the sessions of ${scope.dir}`;
    throw new SdkError('SESSION_NOT_FOUND', `Session ${sessionId} not found${where}.`);
  }
}

/** The only generator of single messages: what is below it passes batches on. */
async function* oneByOne(
  open: () => Promise<MessageBatches | readonly []>,
): AsyncGenerator<StoredMessage, void, undefined> {
  for await (const messages of await open()) for (const message of messages) yield message;
}

async function* joined(
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  last: readonly TranscriptEntry[],
): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
  yield* entries;
  yield last;
}

function textOf(value: unknown, name: string, clean = (text: string): string => text): string {
  if (typeof value !== 'string') throw new TypeError(`\`${name}\` must be a text, not ${kindOf(value)}.`);
  const text = clean(value).trim();
  if (text === '') throw new TypeError(`\`${name}\` must not be empty.`);
  return text;
}

/** Characters that cannot be seen, or that are others in another width, would make two tags that look the same. */
const withoutLookalikes = (tag: string): string =>
  tag
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    // The characters on both sides of a removed one may combine now.
    .normalize('NFKC');

import type {
  EntryIndex,
  Ids,
  Outline,
  OutlineRequest,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionTranscript,
  SubagentTranscript,
  TranscriptEntry,
  TranscriptPart,
  Transcripts,
  TranscriptScope,
} from '@hexagent/ports';
import { transcriptOf, withoutMetadata } from './transcript-of.ts';

export interface StoreTranscriptsOptions {
  readonly store: SessionStore;
  /** Whose sessions an agent works on in this directory; without one, in that of the program. */
  readonly projectKeyOf: (dir: string | undefined) => Promise<string>;
  readonly ids: Pick<Ids, 'uuid'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The subpath of a subagent's transcript, with its id. */
const subagentPath = /^subagents\/(?:.+\/)?agent-([^/]+)$/;
/** What names a session: its transcript is a file of that name. */
export const uuid: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** The transcripts of a store: of one project, since a store lists those of one. */
export class StoreTranscripts implements Transcripts {
  readonly #options: StoreTranscriptsOptions;

  constructor(options: StoreTranscriptsOptions) {
    this.#options = options;
  }

  /** @throws {TypeError} where the store cannot list. */
  async list({ dir }: TranscriptScope): Promise<readonly SessionTranscript[]> {
    const { store, projectKeyOf } = this.#options;
    if (store.listSessions === undefined && store.listSessionSummaries === undefined)
      throw new TypeError('A `sessionStore` without listSessions() cannot list its sessions.');
    const projectKey = await projectKeyOf(dir);
    const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
    const sessions = (await store.listSessions?.(projectKey)) ?? summaries;
    const folded = new Map(summaries.map((summary) => [summary.sessionId, summary]));
    return sessions
      .toSorted((one, two) => two.mtime - one.mtime)
      .map(({ sessionId, mtime }) => {
        const summary = folded.get(sessionId);
        // One that is older than the session lacks what was written since.
        const isNew = summary !== undefined && summary.mtime >= mtime;
        return new SessionInStore(this.#options, { projectKey, sessionId }, mtime, isNew ? summary.data : undefined);
      });
  }

  async find(sessionId: string, { dir }: TranscriptScope): Promise<SessionTranscript | undefined> {
    if (typeof sessionId !== 'string' || !uuid.test(sessionId)) return undefined;
    const key = { projectKey: await this.#options.projectKeyOf(dir), sessionId };
    const session = new SessionInStore(this.#options, key, undefined, undefined);
    return (await session.load()).length === 0 ? undefined : session;
  }
}

class SessionInStore implements SessionTranscript {
  readonly sessionId: string;
  readonly fileSize = undefined;
  /** Undefined, since only the entries contain the working directory. */
  readonly dir = undefined;
  readonly summary: Readonly<Record<string, unknown>> | undefined;
  readonly #options: StoreTranscriptsOptions;
  readonly #key: SessionKey;
  #lastModified: number | undefined;
  #entries: Promise<readonly SessionStoreEntry[]> | undefined;

  constructor(
    options: StoreTranscriptsOptions,
    key: SessionKey,
    lastModified: number | undefined,
    summary: Readonly<Record<string, unknown>> | undefined,
  ) {
    this.sessionId = key.sessionId;
    this.summary = summary;
    this.#options = options;
    this.#key = key;
    this.#lastModified = lastModified;
  }

  /** The time in the store's list; the present if it has none. */
  get lastModified(): number {
    return this.#lastModified ?? this.#options.now();
  }

  /** Once, since a session that is checked is read next. */
  load(): Promise<readonly SessionStoreEntry[]> {
    this.#entries ??= this.#options.store.load(this.#key).then((entries) => {
      this.#lastModified ??= newestTime(entries ?? []);
      return entries ?? [];
    });
    return this.#entries;
  }

  async index(): Promise<EntryIndex> {
    return await transcriptOf(await this.load()).index();
  }

  async *entries(): AsyncGenerator<readonly TranscriptEntry[], void, undefined> {
    yield await this.load();
  }

  /** A store has the sessions of one directory under one key. */
  belongsTo(): boolean {
    return true;
  }

  async outline({ isEnough, newest }: OutlineRequest): Promise<Outline> {
    const entries = await this.load();
    const enough = entries.findIndex((entry) => isEnough(entry));
    const first = enough === -1 ? entries : entries.slice(0, enough + 1);
    const places = [
      ...newest.map((type) => entries.findLastIndex((entry) => entry.type === type)),
      entries.findLastIndex(({ gitBranch }) => typeof gitBranch === 'string'),
    ];
    const found = [...new Set(places)].filter((place) => place !== -1).toSorted((one, two) => one - two);
    return { first, newest: found.flatMap((place) => entries[place] ?? []) };
  }

  async archiveMark(): Promise<undefined> {}

  async markArchived(): Promise<never> {
    throw new TypeError('A session in a `sessionStore` cannot be archived: the mark is no part of its transcript.');
  }

  async subagents(): Promise<readonly string[]> {
    return [...(await this.#subagentPaths()).keys()];
  }

  async subagent(agentId: string): Promise<SubagentTranscript | undefined> {
    // Without a list, it is where the agent stores those that the session started itself.
    const subpath =
      this.#options.store.listSubkeys === undefined
        ? `subagents/agent-${agentId}`
        : (await this.#subagentPaths()).get(agentId);
    if (subpath === undefined) return undefined;
    const { transcript, metadata = {} } = await this.#part(subpath);
    const { parentAgentId, toolUseId } = metadata;
    return {
      ...transcript,
      agentId,
      parentAgentId: typeof parentAgentId === 'string' ? parentAgentId : undefined,
      toolUseId: typeof toolUseId === 'string' ? toolUseId : undefined,
    };
  }

  async *parts(): AsyncGenerator<TranscriptPart, void, undefined> {
    for (const subpath of (await this.#options.store.listSubkeys?.(this.#key)) ?? []) yield await this.#part(subpath);
  }

  /** Each gets a name, so that it is stored once although a call is repeated. */
  async append(entries: readonly TranscriptEntry[]): Promise<void> {
    const { store, ids, now } = this.#options;
    const timestamp = new Date(now()).toISOString();
    await store.append(
      this.#key,
      entries.map((entry) => ({ ...entry, uuid: ids.uuid(), timestamp })),
    );
  }

  async addSession(sessionId: string, entries: AsyncIterable<readonly TranscriptEntry[]>): Promise<void> {
    const all: SessionStoreEntry[] = [];
    for await (const some of entries) for (const entry of some) all.push(entry); // a call takes some 100,000 arguments
    await this.#options.store.append({ ...this.#key, sessionId }, all);
  }

  /** As in the official package, a store that has no such method keeps everything. */
  async delete(): Promise<void> {
    await this.#options.store.delete?.(this.#key);
  }

  /** @throws {TypeError} where the store cannot list. */
  async #subagentPaths(): Promise<ReadonlyMap<string, string>> {
    const { store } = this.#options;
    if (store.listSubkeys === undefined)
      throw new TypeError('A `sessionStore` without listSubkeys() cannot list subagents.');
    const subpaths = await store.listSubkeys(this.#key);
    return new Map(
      subpaths.flatMap((subpath) => {
        const id = subagentPath.exec(subpath)?.[1];
        return id === undefined ? [] : [[id, subpath]];
      }),
    );
  }

  async #part(subpath: string): Promise<TranscriptPart> {
    const { entries, metadata } = withoutMetadata((await this.#options.store.load({ ...this.#key, subpath })) ?? []);
    return { subpath, transcript: transcriptOf(entries), metadata };
  }
}

function newestTime(entries: readonly SessionStoreEntry[]): number | undefined {
  const times = entries.map(({ timestamp }) => (typeof timestamp === 'string' ? Date.parse(timestamp) : NaN));
  return times.reduce<number | undefined>((newest, time) => (time > (newest ?? 0) ? time : newest), undefined);
}

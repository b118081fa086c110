/** One line of a transcript, as the agent wrote it: unknown types and fields stay as they are. */
export interface TranscriptEntry {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Types of entries that the chain of a conversation is made of. The others are bookkeeping. */
export type ConversationEntryType = 'assistant' | 'attachment' | 'progress' | 'system' | 'user';

/** The messages that a compaction kept, and the message after which they belong. By name, or from the first to the last. */
export interface PreservedMessages {
  readonly anchorUuid: string;
  readonly uuids: readonly string[] | { readonly headUuid: string; readonly tailUuid: string };
}

/** What decides where an entry of a transcript belongs in its conversation. */
export interface EntryHead {
  readonly type: ConversationEntryType;
  /** Several entries may have one: then the last of them counts. */
  readonly uuid: string;
  readonly parentUuid: string | undefined;
  /** As the agent wrote it. */
  readonly timestamp: string | undefined;
  /** Written by a subagent, which the conversation does not show. */
  readonly isSidechain: boolean;
  /** Written by the agent for the model alone. */
  readonly isMeta: boolean;
  /** Written by a teammate in a swarm of agents, which the conversation does not show. */
  readonly isTeammates: boolean;
  /** Marks where the conversation was compacted. */
  readonly isBoundary: boolean;
  /** Of a message that a person sent while the agent worked, and that it took up within the turn: the uuid it was sent with. */
  readonly promptUuid: string | undefined;
  /** Of the model's answer that the entry is a block of. */
  readonly messageId: string | undefined;
  /** Of the tools that are called in it, or whose results are in it. */
  readonly toolUseIds: readonly string[];
  /** Of a compaction: which older messages it kept. */
  readonly preserved: PreservedMessages | undefined;
}

/** An entry with its head. */
export type IndexedEntry = readonly [head: EntryHead, entry: TranscriptEntry];

/** The entries of a transcript that may be part of the conversation; bookkeeping and unreadable lines are left out. */
export interface EntryIndex {
  /** In the order in which the entries were written. */
  readonly heads: readonly EntryHead[];
  /**
   * The whole entries, in the order in which they are asked for; as many at a time as one read brought. One that cannot be
   * read any more is left out. Nothing is held that was delivered.
   */
  entriesOf(heads: Iterable<EntryHead>): AsyncIterable<readonly IndexedEntry[]>;
}

/** One stored conversation, of a session or of a subagent. It can be read as often as one likes, also by several. */
export interface Transcript {
  /** Everything that may be part of the conversation, as it is stored now. */
  index(): Promise<EntryIndex>;
  /** Every entry, bookkeeping included, in the order stored. Unreadable lines are left out. */
  entries(): AsyncIterable<readonly TranscriptEntry[]>;
}

/** A list needs only a few entries of a session, so the others are not read. */
export interface OutlineRequest {
  /** Called with the entries from the first on; `true` ends it. */
  readonly isEnough: (entry: TranscriptEntry) => boolean;
  /** Types of bookkeeping entries of which the newest counts. */
  readonly newest: readonly string[];
}

export interface Outline {
  /** The entries for which `isEnough` was called. */
  readonly first: readonly TranscriptEntry[];
  /** The newest entry of each type that was found near the end or the beginning, and the newest that has a `gitBranch`, in the order stored. */
  readonly newest: readonly TranscriptEntry[];
}

/** Whether a session was put aside, and when that was decided. */
export interface ArchiveMark {
  readonly isArchived: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A transcript that belongs to a session, such as that of a subagent. */
export interface TranscriptPart {
  /** As a `SessionStore` names it: its path below the session, without an ending. */
  readonly subpath: string;
  readonly transcript: Transcript;
  /** The metadata of the subagent. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** The transcript of a session, and what is kept beside it. */
export interface SessionTranscript extends Transcript {
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Bytes, where it is a file. */
  readonly fileSize: number | undefined;
  /** The directory whose sessions were asked for, as the system spells it; `undefined` where all were. */
  readonly dir: string | undefined;
  /** Whether a session that began in this directory can be one that was asked for: several can share a place. */
  belongsTo(cwd: string): boolean;
  outline(request: OutlineRequest): Promise<Outline>;
  /** What `foldSessionSummary` has made of its entries, where that is stored: nothing is read then to list it. */
  readonly summary?: Readonly<Record<string, unknown>> | undefined;
  /** `undefined` if it never was archived, and where no such mark can be kept. */
  archiveMark(): Promise<ArchiveMark | undefined>;
  /** The ids of the subagents that have a transcript of their own. */
  subagents(): Promise<readonly string[]>;
  /** `undefined` when there is no such subagent. */
  subagent(agentId: string): Promise<SubagentTranscript | undefined>;
  /** What belongs to it, one after another. */
  parts(): AsyncIterable<TranscriptPart>;
  /** Adds entries at the end, whole or not at all; a broken last line stays by itself. */
  append(entries: readonly TranscriptEntry[]): Promise<void>;
  /** Stores another session beside this one. It is visible when it is complete, and replaces none. */
  addSession(sessionId: string, entries: AsyncIterable<readonly TranscriptEntry[]>): Promise<void>;
  /** @throws {TypeError} where no such mark can be kept. */
  markArchived(isArchived: boolean): Promise<void>;
  /** Deletes the transcript and everything that is kept beside it. */
  delete(): Promise<void>;
}

export interface SubagentTranscript extends Transcript {
  readonly agentId: string;
  /** Of the subagent that started this one; `undefined` if the session did. */
  readonly parentAgentId: string | undefined;
  /** Of the call that started it. */
  readonly toolUseId: string | undefined;
}

/** Which sessions are meant: those of one folder that agents worked in, or all. */
export interface TranscriptScope {
  /** The working directory of the sessions. Default: any. */
  readonly dir?: string | undefined;
  /** Whether the other worktrees of the repository that `dir` is in count too. Default `true`. */
  readonly includeWorktrees?: boolean | undefined;
}

/** A place where transcripts of sessions are stored: the agent's folder, or a store. */
export interface Transcripts {
  /** All sessions within the scope, the one that was written to last first; each once. */
  list(scope: TranscriptScope): Promise<readonly SessionTranscript[]>;
  /** `undefined` when there is no such session within the scope. What is not a session id names none. */
  find(sessionId: string, scope: TranscriptScope): Promise<SessionTranscript | undefined>;
}

import type { TranscriptScope } from './transcripts.ts';

/** The facts about a stored session that can be read without its messages. */
export interface StoredSession {
  /** By which it is resumed, read and changed. */
  readonly sessionId: string;
  /** A title to display: the one that a person set, else a generated one, else the first prompt. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Bytes, where it is a file. */
  readonly fileSize?: number;
  /** The title that a person or a program set. */
  readonly customTitle?: string;
  /** The first thing that a person asked in it. */
  readonly firstPrompt?: string;
  /** Where its repository stood when it was written to last. */
  readonly gitBranch?: string;
  /** Where the agent worked. */
  readonly cwd?: string;
  /** The tag that a person or a program set. */
  readonly tag?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  /** `undefined` if it never was archived. */
  readonly archived?: boolean;
}

/** A message of a stored session or of one of its subagents. */
export interface StoredMessage {
  /** Who sent it. */
  readonly type: 'user' | 'assistant' | 'system';
  /** By which a copy can end with it. */
  readonly uuid: string;
  /** The session that it was written in. */
  readonly session_id: string;
  /** As the agent stored it. */
  readonly message: unknown;
  /** Of a subagent's message: the call that started it. */
  readonly parent_tool_use_id: string | null;
  /** Of a subagent's message: the subagent that started it, unless the session did. */
  readonly parent_agent_id: string | null;
  /** When it was written, as the agent wrote it. */
  readonly timestamp?: string | undefined;
  /** The summary that a compaction put in the place of what came before it. */
  readonly isCompactSummary?: true | undefined;
  /** Written for the model, not by a person. */
  readonly is_meta?: true | undefined;
  /** A message that came while the agent worked, and that it took up within the turn. */
  readonly isQueuedCommand?: true | undefined;
  /** A command that ran without the model, such as `/clear`, or its output. */
  readonly isCompletedLocalCommand?: true | undefined;
  /** The result of a tool in the tool's own structure, where `includeToolUseResults` asks for it. */
  readonly tool_use_result?: unknown;
  /** Why a tool did not run, if its result has a reason. */
  readonly tool_result_meta?: readonly { readonly id: string; readonly non_execution_kind: string }[] | undefined;
  /** Who sent it, where it was no person. */
  readonly origin?: unknown;
}

/** A part of a list. */
export interface Page {
  /** How many at most. Default: all. */
  readonly limit?: number | undefined;
  /** How many of the first are left out. Default 0. */
  readonly offset?: number | undefined;
}

/** Which sessions to list. */
export interface ListStoredSessions extends TranscriptScope, Page {
  /** Whether sessions count that a program opened and not a person in a terminal. Default `true`. */
  readonly includeProgrammatic?: boolean | undefined;
}

/** Where to search for the named session. */
export type FindStoredSession = Pick<TranscriptScope, 'dir'>;

/** Which messages of a session to read. */
export interface ReadStoredMessages extends FindStoredSession, Page {
  /** Whether messages of the system count, such as where the conversation was compacted. Default `false`. */
  readonly includeSystemMessages?: boolean | undefined;
  /**
   * Whether messages with the result of a tool have it in the tool's own structure, too, which may be larger than all the
   * messages. Default `false`.
   */
  readonly includeToolUseResults?: boolean | undefined;
}

/** How to copy a session. */
export interface ForkStoredSession extends FindStoredSession {
  /** The uuid of the last message that the copy has. Default: all. */
  readonly upToMessageId?: string | undefined;
  /** Default: that of the original, and "(fork)". */
  readonly title?: string | undefined;
}

/** Reads and changes sessions that were stored, without an agent. Two programs may change one session at once. */
export interface StoredSessions {
  /** The one that was written to last first. */
  list(options?: ListStoredSessions): Promise<readonly StoredSession[]>;
  /** `undefined` when there is no such session, or it has no message. */
  get(sessionId: string, options?: FindStoredSession): Promise<StoredSession | undefined>;
  /**
   * The messages, in order, as the agent would read them again: from the last compaction on.
   * @throws {SdkError} `SESSION_NOT_FOUND` from the iteration when there is no such session, like everything below.
   */
  messages(sessionId: string, options?: ReadStoredMessages): AsyncIterable<StoredMessage>;
  /** The ids of its subagents. */
  subagents(sessionId: string, options?: FindStoredSession): Promise<readonly string[]>;
  /** The messages from and to a subagent; empty when the session has no such subagent. */
  subagentMessages(
    sessionId: string,
    agentId: string,
    options?: FindStoredSession & Page,
  ): AsyncIterable<StoredMessage>;
  /** Gives it a name. */
  rename(sessionId: string, title: string, options?: FindStoredSession): Promise<void>;
  /** With `null`, takes the tag away. */
  tag(sessionId: string, tag: string | null, options?: FindStoredSession): Promise<void>;
  /** Marks it: it stays where it is, and the next prompt takes the mark away. */
  archive(sessionId: string, options?: FindStoredSession): Promise<void>;
  /** Takes the mark away. */
  unarchive(sessionId: string, options?: FindStoredSession): Promise<void>;
  /** Deletes its transcript and those of its subagents. */
  delete(sessionId: string, options?: FindStoredSession): Promise<void>;
  /** Stores a copy, which can be resumed by itself. Resolves with its id. */
  fork(sessionId: string, options?: ForkStoredSession): Promise<{ readonly sessionId: string }>;
}

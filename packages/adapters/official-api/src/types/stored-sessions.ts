import type { SessionStore } from './session-store.ts';

/** The facts about a stored session that can be read without its messages. */
export type SDKSessionInfo = {
  sessionId: string;
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  fileSize?: number;
  customTitle?: string;
  firstPrompt?: string;
  gitBranch?: string;
  cwd?: string;
  tag?: string;
  createdAt?: number;
  archived?: boolean;
};

/** A message of a stored session. */
export type SessionMessage = {
  type: 'user' | 'assistant' | 'system';
  uuid: string;
  session_id: string;
  message: unknown;
  parent_tool_use_id: string | null;
  parent_agent_id: string | null;
};

/** Where sessions are stored: in the CLI's folder for `dir`, or in a store. */
export type SessionMutationOptions = { dir?: string; sessionStore?: SessionStore };

export type GetSessionInfoOptions = { dir?: string; sessionStore?: SessionStore };

export type ListSubagentsOptions = { dir?: string; sessionStore?: SessionStore };

export type ListSessionsOptions = {
  dir?: string;
  limit?: number;
  offset?: number;
  includeWorktrees?: boolean;
  includeProgrammatic?: boolean;
  sessionStore?: SessionStore;
};

export type GetSessionMessagesOptions = {
  dir?: string;
  limit?: number;
  offset?: number;
  includeSystemMessages?: boolean;
  sessionStore?: SessionStore;
};

export type GetSubagentMessagesOptions = { dir?: string; limit?: number; offset?: number; sessionStore?: SessionStore };

export type ForkSessionOptions = SessionMutationOptions & {
  /** The last message that the copy has. */
  upToMessageId?: string;
  title?: string;
};

export type ForkSessionResult = { sessionId: string };

export type ImportSessionToStoreOptions = { dir?: string; includeSubagents?: boolean; batchSize?: number };

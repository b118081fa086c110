import type { FindStoredSession, Page, StoredMessage, StoredSessions } from '@hexagent/ports';
import { notYet } from './not-yet.ts';
import type { SessionStore } from './types/session-store.ts';
import type * as stored from './types/stored-sessions.ts';

/** Where the functions find the sessions of a call. */
export type SessionsOf = () => StoredSessions;

/** The official functions about stored sessions. */
export interface SessionFunctions {
  readonly listSessions: (options?: stored.ListSessionsOptions) => Promise<stored.SDKSessionInfo[]>;
  readonly getSessionInfo: (
    sessionId: string,
    options?: stored.GetSessionInfoOptions,
  ) => Promise<stored.SDKSessionInfo | undefined>;
  readonly getSessionMessages: (
    sessionId: string,
    options?: stored.GetSessionMessagesOptions,
  ) => Promise<stored.SessionMessage[]>;
  readonly listSubagents: (sessionId: string, options?: stored.ListSubagentsOptions) => Promise<string[]>;
  readonly getSubagentMessages: (
    sessionId: string,
    agentId: string,
    options?: stored.GetSubagentMessagesOptions,
  ) => Promise<stored.SessionMessage[]>;
  readonly renameSession: (sessionId: string, title: string, options?: stored.SessionMutationOptions) => Promise<void>;
  readonly tagSession: (
    sessionId: string,
    tag: string | null,
    options?: stored.SessionMutationOptions,
  ) => Promise<void>;
  readonly archiveSession: (sessionId: string, options?: stored.SessionMutationOptions) => Promise<void>;
  readonly unarchiveSession: (sessionId: string, options?: stored.SessionMutationOptions) => Promise<void>;
  readonly deleteSession: (sessionId: string, options?: stored.SessionMutationOptions) => Promise<void>;
  readonly forkSession: (sessionId: string, options?: stored.ForkSessionOptions) => Promise<stored.ForkSessionResult>;
}

/** Makes the official functions over stored sessions. They accept what the official ones accept. */
export function createSessionFunctions(sessionsOf: SessionsOf): SessionFunctions {
  const sessions: Chosen = (options) => {
    if (options?.sessionStore !== undefined && options.sessionStore !== null) throw notYet('`sessionStore`');
    return sessionsOf();
  };
  return { ...readingFunctions(sessions), ...changingFunctions(sessions) };
}

/** Programs in JavaScript pass `null` where they have no options. */
type Chosen = (options: { sessionStore?: SessionStore } | undefined | null) => StoredSessions;

type Reading = 'listSessions' | 'getSessionInfo' | 'getSessionMessages' | 'listSubagents' | 'getSubagentMessages';

function readingFunctions(sessions: Chosen): Pick<SessionFunctions, Reading> {
  return {
    async listSessions(options) {
      const { includeWorktrees, includeProgrammatic } = options ?? {};
      const found = await sessions(options).list({
        ...scopeOf(options),
        ...pageOf(options),
        includeWorktrees: includeWorktrees ?? undefined,
        includeProgrammatic: includeProgrammatic ?? undefined,
      });
      return [...found];
    },
    async getSessionInfo(sessionId, options) {
      return await sessions(options).get(sessionId, scopeOf(options));
    },
    async getSessionMessages(sessionId, options) {
      const { includeSystemMessages } = options ?? {};
      const asked = { ...scopeOf(options), ...pageOf(options), includeSystemMessages: Boolean(includeSystemMessages) };
      return await allOf(sessions(options).messages(sessionId, asked));
    },
    async listSubagents(sessionId, options) {
      return [...(await sessions(options).subagents(sessionId, scopeOf(options)))];
    },
    async getSubagentMessages(sessionId, agentId, options) {
      const asked = { ...scopeOf(options), ...pageOf(options) };
      return await allOf(sessions(options).subagentMessages(sessionId, agentId, asked));
    },
  };
}

function changingFunctions(sessions: Chosen): Omit<SessionFunctions, Reading> {
  return {
    async renameSession(sessionId, title, options) {
      await sessions(options).rename(sessionId, title, scopeOf(options));
    },
    async tagSession(sessionId, tag, options) {
      await sessions(options).tag(sessionId, tag, scopeOf(options));
    },
    async archiveSession(sessionId, options) {
      await sessions(options).archive(sessionId, scopeOf(options));
    },
    async unarchiveSession(sessionId, options) {
      await sessions(options).unarchive(sessionId, scopeOf(options));
    },
    async deleteSession(sessionId, options) {
      await sessions(options).delete(sessionId, scopeOf(options));
    },
    async forkSession(sessionId, options) {
      const { upToMessageId, title } = options ?? {};
      const asked = { ...scopeOf(options), upToMessageId: upToMessageId ?? undefined, title: title ?? undefined };
      return await sessions(options).fork(sessionId, asked);
    },
  };
}

/** An empty directory and `null` mean any. */
function scopeOf(options: { dir?: string } | undefined | null): FindStoredSession {
  const dir: unknown = options?.dir;
  if (dir === undefined || dir === null || dir === '') return {};
  if (typeof dir !== 'string') throw new TypeError('`dir` must be a string.');
  return { dir };
}

/** A number that makes no part of a list means all of it. */
function pageOf(options: { limit?: number; offset?: number } | undefined | null): Page {
  const [limit, offset] = [Math.trunc(Number(options?.limit)), Math.trunc(Number(options?.offset))];
  return { limit: limit > 0 ? limit : undefined, offset: offset > 0 ? offset : undefined };
}

async function allOf(messages: AsyncIterable<StoredMessage>): Promise<stored.SessionMessage[]> {
  const all: stored.SessionMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

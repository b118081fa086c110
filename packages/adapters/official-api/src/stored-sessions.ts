import { isRecord } from '@hexagent/checks';
import { SdkError, type FindStoredSession, type Page, type StoredMessage, type StoredSessions } from '@hexagent/ports';
import type * as stored from './types/stored-sessions.ts';
import type { SessionStore } from './types/stored-sessions.ts';

export interface SessionFunctionParts {
  /** The sessions of a store; without one those of the CLI's folder. */
  readonly sessionsOf: (store: SessionStore | undefined) => StoredSessions;
  /** Copies a session of the CLI's folder into a store. */
  readonly importSession: (sessionId: string, store: SessionStore, options: ImportRequest) => Promise<void>;
}

export interface ImportRequest extends FindStoredSession {
  readonly includeSubagents: boolean;
  readonly batchSize: number | undefined;
}

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
  readonly importSessionToStore: (
    sessionId: string,
    store: SessionStore,
    options?: stored.ImportSessionToStoreOptions,
  ) => Promise<void>;
}

/** Makes the official functions over stored sessions. They accept what the official ones accept. */
// oxlint-disable-next-line max-lines-per-function -- each official function, in one literal
export function createSessionFunctions({ sessionsOf, importSession }: SessionFunctionParts): SessionFunctions {
  // Programs in JavaScript pass `null` where they have no options.
  const sessions = (options: { sessionStore?: SessionStore } | undefined | null): StoredSessions =>
    sessionsOf(storeIn(options));
  return {
    async listSessions(options) {
      const { includeWorktrees, includeProgrammatic } = options ?? {};
      const found = await sessions(options).list({
        ...scopeOf(options),
        ...pageOf(options),
        includeWorktrees: includeWorktrees ?? undefined,
        // As in the official package, a store lists all of its sessions.
        includeProgrammatic: storeIn(options) === undefined ? (includeProgrammatic ?? undefined) : undefined,
      });
      return [...found];
    },
    async getSessionInfo(sessionId, options) {
      return await sessions(options).get(sessionId, scopeOf(options));
    },
    async getSessionMessages(sessionId, options) {
      const { includeSystemMessages } = options ?? {};
      const asked = { ...scopeOf(options), ...pageOf(options), includeSystemMessages: Boolean(includeSystemMessages) };
      return await orEmpty(allOf(sessions(options).messages(sessionId, asked)));
    },
    async listSubagents(sessionId, options) {
      return [...(await orEmpty(sessions(options).subagents(sessionId, scopeOf(options))))];
    },
    async getSubagentMessages(sessionId, agentId, options) {
      const asked = { ...scopeOf(options), ...pageOf(options) };
      return await orEmpty(allOf(sessions(options).subagentMessages(sessionId, agentId, asked)));
    },
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
      const asked = { ...scopeOf(options), upToMessageId: upToMessageId || undefined, title: title ?? undefined };
      return await sessions(options).fork(sessionId, asked);
    },
    async importSessionToStore(sessionId, store, options) {
      const { includeSubagents, batchSize: wanted } = options ?? {};
      const batchSize = Math.ceil(Number(wanted));
      await importSession(sessionId, checkStore('store', store, 'append'), {
        ...scopeOf(options),
        includeSubagents: includeSubagents ?? true,
        // As in the official package, a number that makes no batch is ignored.
        batchSize: batchSize > 0 ? batchSize : undefined,
      });
    },
  };
}

function storeIn(options: { sessionStore?: SessionStore } | undefined | null): SessionStore | undefined {
  const store = options?.sessionStore;
  return store === undefined || store === null ? undefined : checkStore('sessionStore', store, 'load');
}

function checkStore(name: string, store: SessionStore, method: 'append' | 'load'): SessionStore {
  if (isRecord(store) && typeof store[method] === 'function') return store;
  throw new TypeError(`\`${name}\` must be a store: an object with the methods append() and load().`);
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

/** The official functions return an empty list for a session that is not there. */
async function orEmpty<List extends readonly unknown[]>(list: Promise<List>): Promise<List | []> {
  return await list.catch((error: unknown): [] => {
    if (SdkError.is(error) && error.code === 'SESSION_NOT_FOUND') return [];
    throw error;
  });
}

async function allOf(messages: AsyncIterable<StoredMessage>): Promise<stored.SessionMessage[]> {
  const all: stored.SessionMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

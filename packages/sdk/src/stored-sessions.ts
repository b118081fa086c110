import { anyText, type Check, flag, having, number, path, record, text } from '@hexagent/checks';
import type {
  FindStoredSession,
  ForkStoredSession,
  ListStoredSessions,
  Page,
  ReadStoredMessages,
  SessionStore,
  StoredMessage,
  StoredSessions,
} from '@hexagent/ports';

/** Where sessions are stored. */
export interface StoredSessionsOptions {
  /** The CLI's folder. Default: `CLAUDE_CONFIG_DIR` of this process, else `.claude` in its home, when a method is called. */
  readonly configDir?: string | undefined;
  /** A store of yours, instead of the CLI's folder. */
  readonly store?: SessionStore | undefined;
}

const options = record<StoredSessionsOptions>(
  { configDir: path, store: having('append', 'load') },
  { called: 'the options of storedSessions()' },
);
const count = number({ least: 0, whole: true });
const limit = number({ least: 1, whole: true });
const found = { dir: path };
const paged = { ...found, limit, offset: count };
const called = { called: 'the options' };
const listed = record<ListStoredSessions>({ ...paged, includeWorktrees: flag, includeProgrammatic: flag }, called);
const read = record<ReadStoredMessages>({ ...paged, includeSystemMessages: flag, includeToolUseResults: flag }, called);
const readOfSubagent = record<FindStoredSession & Page>(paged, called);
const forked = record<ForkStoredSession>({ ...found, upToMessageId: text(), title: text() }, called);
const where = record<FindStoredSession>(found, called);

/**
 * The sessions that agents have stored, to list, read and change without starting one. Nothing is read before a method is
 * called.
 * @example
 * const sessions = storedSessions();
 * for (const { sessionId, summary } of await sessions.list({ limit: 10 })) console.log(sessionId, summary);
 * @throws {TypeError} here and in each method, for an invalid value, naming it.
 */
export function storedSessions(given: StoredSessionsOptions = {}): StoredSessions {
  const { configDir, store } = options(given, '');
  if (configDir !== undefined && store !== undefined)
    throw new TypeError('`configDir` cannot be combined with `store`: sessions are read from one of the two.');
  const load = async (): Promise<StoredSessions> => {
    const { storedSessionsIn, storedSessionsOf } = await import('./compose-stored-sessions.ts');
    return store === undefined ? storedSessionsIn(configDir) : storedSessionsOf(store);
  };
  return {
    list: async (asked) => await (await load()).list(checked(listed, asked)),
    get: async (id, asked) => await (await load()).get(sessionId(id), checked(where, asked)),
    messages: (id, asked) => {
      const [session, wanted] = [sessionId(id), checked(read, asked)];
      return messagesOf(async () => (await load()).messages(session, wanted));
    },
    subagents: async (id, asked) => await (await load()).subagents(sessionId(id), checked(where, asked)),
    subagentMessages: (id, agent, asked) => {
      const [session, agentId, wanted] = [sessionId(id), anyText(agent, 'agentId'), checked(readOfSubagent, asked)];
      return messagesOf(async () => (await load()).subagentMessages(session, agentId, wanted));
    },
    rename: async (id, title, asked) =>
      await (await load()).rename(sessionId(id), anyText(title, 'title'), checked(where, asked)),
    tag: async (id, tag, asked) =>
      await (await load()).tag(sessionId(id), tag === null ? null : anyText(tag, 'tag'), checked(where, asked)),
    archive: async (id, asked) => await (await load()).archive(sessionId(id), checked(where, asked)),
    unarchive: async (id, asked) => await (await load()).unarchive(sessionId(id), checked(where, asked)),
    delete: async (id, asked) => await (await load()).delete(sessionId(id), checked(where, asked)),
    fork: async (id, asked) => await (await load()).fork(sessionId(id), checked(forked, asked)),
  };
}

/** Any text is accepted: a text that is not the id of a session finds no session. */
const sessionId = (value: unknown): string => anyText(value, 'sessionId');

const checked = <T>(check: Check<T>, asked: T | undefined): T => check(asked ?? {}, '');

async function* messagesOf(
  open: () => Promise<AsyncIterable<StoredMessage>>,
): AsyncGenerator<StoredMessage, void, undefined> {
  yield* await open();
}

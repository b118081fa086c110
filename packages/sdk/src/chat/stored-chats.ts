import type { SessionHost, SessionInfo } from '@hexagent/hosting';
import type {
  ChatCaller,
  ChatHistory,
  ChatHistoryPage,
  OutboxEntry,
  OutboxStore,
  StoredSessions,
} from '@hexagent/ports';
import { storedSessions } from '@hexagent/sdk';
import { answerIdOf, toUiMessages, type SubagentView, type UiMessage } from '@hexagent/ui-stream';
import type { ChatAgents } from './chat-agents.ts';
import { chatKey } from './chat-keys.ts';
import { withWholeTexts } from './file-mentions.ts';
import type { HostedChats } from './hosted-chats.ts';

interface StoredChatsOptions {
  readonly host: Pick<SessionHost, 'get'>;
  readonly agents: ChatAgents;
  readonly outbox: Pick<OutboxStore, 'pending'>;
  readonly subagents: SubagentView | undefined;
  /** What runs. */
  readonly live: () => Pick<HostedChats, 'turnOf' | 'stateOf' | 'promiseStream'>;
}

/** All messages of a chat, and what it does. */
interface StoredHistory extends Pick<ChatHistoryPage, 'isRunning' | 'state'> {
  readonly messages: readonly UiMessage[];
}

/** What agents have stored of chats. */
export class StoredChats implements ChatHistory {
  readonly #options: StoredChatsOptions;

  constructor(options: StoredChatsOptions) {
    this.#options = options;
  }

  async messages(
    chatId: string,
    { limit, before }: { readonly limit: number; readonly before?: string | undefined },
    { tenant }: ChatCaller,
  ): Promise<ChatHistoryPage | undefined> {
    const read = await this.#read(chatKey(chatId, tenant), { isLatest: before === undefined });
    if (read === undefined) return undefined;
    const { messages, isRunning, state } = read;
    const at = before === undefined ? messages.length : messages.findIndex(({ id }) => id === before);
    const end = at === -1 ? 0 : at;
    const begin = Math.max(0, end - limit);
    return { messages: messages.slice(begin, end), hasEarlier: begin > 0, isRunning, state };
  }

  /** Read again where a turn has begun or ended meanwhile: its answer would be missing, or be here and in its stream. */
  async #read(
    key: string,
    { isLatest, attempts = 3 }: { readonly isLatest: boolean; readonly attempts?: number },
  ): Promise<StoredHistory | undefined> {
    const { host, outbox } = this.#options;
    const live = this.#options.live();
    const running = live.turnOf(key);
    // Before the history: what is done with in between is in both, and else would be in neither.
    const pending = await outbox.pending(key);
    const session = await host.get(key);
    if (session === undefined) return undefined;
    const history = await this.#historyOf(session);
    const isRunning = live.turnOf(key) !== undefined;
    if (attempts > 1 && live.turnOf(key) !== running)
      return await this.#read(key, { isLatest, attempts: attempts - 1 });
    const shown = history.filter(({ id }) => running === undefined || id !== answerIdOf(running));
    const messages = withWholeTexts([...shown, ...unstored(session, shown, pending)]);
    if (isRunning && isLatest) live.promiseStream(key);
    return { messages, isRunning, state: live.stateOf(session) };
  }

  async titleOf(session: SessionInfo): Promise<string | undefined> {
    const { sessions, dir } = await this.#placeOf(session);
    return (await sessions.get(session.sessionId, { dir }))?.summary;
  }

  async delete(session: SessionInfo): Promise<void> {
    const { sessions, dir } = await this.#placeOf(session);
    // A chat whose agent never answered has stored nothing.
    if ((await sessions.get(session.sessionId, { dir })) === undefined) return;
    await sessions.delete(session.sessionId, { dir });
  }

  async #historyOf(session: SessionInfo): Promise<readonly UiMessage[]> {
    const { sessions, dir } = await this.#placeOf(session);
    const { sessionId } = session;
    const messages = await collected(sessions.messages(sessionId, { dir, includeToolUseResults: true }));
    const agents = await sessions.subagents(sessionId, { dir });
    const ofSubagents = await Promise.all(
      agents.map((id) => collected(sessions.subagentMessages(sessionId, id, { dir }))),
    );
    const { subagents } = this.#options;
    return toUiMessages(messages, { subagents, subagentMessages: ofSubagents.flat() });
  }

  async #placeOf({ id, tenant }: SessionInfo): Promise<{ readonly sessions: StoredSessions; readonly dir: string }> {
    const { configDir, dir } = await this.#options.agents.placesOf(id, tenant);
    return { sessions: storedSessions({ configDir }), dir };
  }
}

/** Messages that were accepted, and that no agent has stored yet. */
function unstored(
  { sessionId }: SessionInfo,
  shown: readonly UiMessage[],
  pending: readonly OutboxEntry[],
): readonly UiMessage[] {
  const stored = new Set(shown.map(({ id }) => id));
  return pending.flatMap(({ uuid, input }) => {
    if (stored.has(uuid)) return [];
    const message = { role: 'user', content: input.content };
    const fields = { session_id: sessionId, parent_tool_use_id: null, parent_agent_id: null };
    return toUiMessages([{ type: 'user', uuid, message, ...fields }]);
  });
}

async function collected<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

import type { SessionHost, SessionInfo } from '@hexagent/hosting';
import type { ChatCaller, ChatHistory, ChatHistoryPage, ChatState, OutboxStore, StoredSessions } from '@hexagent/ports';
import { storedSessions } from '@hexagent/sdk';
import { answerIdOf, toUiMessages, type SubagentView, type UiMessage } from '@hexagent/ui-stream';
import type { ChatAgents } from './chat-agents.ts';
import { chatKey } from './chat-keys.ts';
import { withWholeTexts } from './file-mentions.ts';

interface StoredChatsOptions {
  readonly host: Pick<SessionHost, 'get'>;
  readonly agents: ChatAgents;
  readonly outbox: Pick<OutboxStore, 'pending'>;
  readonly subagents: SubagentView | undefined;
  /** The turn of a chat that runs. */
  readonly turnOf: (key: string) => string | undefined;
  readonly stateOf: (session: SessionInfo) => ChatState;
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
    const { host, turnOf, stateOf } = this.#options;
    const session = await host.get(chatKey(chatId, tenant));
    if (session === undefined) return undefined;
    const running = turnOf(session.id);
    const history = await this.#historyOf(session);
    const shown = history.filter(({ id }) => running === undefined || id !== answerIdOf(running));
    const messages = withWholeTexts([...shown, ...(await this.#unstored(session, shown))]);
    const state = stateOf(session);
    const at = before === undefined ? messages.length : messages.findIndex(({ id }) => id === before);
    const end = at === -1 ? 0 : at;
    const begin = Math.max(0, end - limit);
    return { messages: messages.slice(begin, end), hasEarlier: begin > 0, isRunning: running !== undefined, state };
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

  /** Messages that were accepted, and that no agent has stored yet. */
  async #unstored(session: SessionInfo, shown: readonly UiMessage[]): Promise<readonly UiMessage[]> {
    const stored = new Set(shown.map(({ id }) => id));
    const pending = await this.#options.outbox.pending(session.id);
    return pending.flatMap(({ uuid, input }) => {
      if (stored.has(uuid)) return [];
      const message = { role: 'user', content: input.content };
      const { sessionId: session_id } = session;
      return toUiMessages([
        { type: 'user', uuid, session_id, message, parent_tool_use_id: null, parent_agent_id: null },
      ]);
    });
  }

  async #placeOf({ id, tenant }: SessionInfo): Promise<{ readonly sessions: StoredSessions; readonly dir: string }> {
    const { configDir, dir } = await this.#options.agents.placesOf(id, tenant);
    return { sessions: storedSessions({ configDir }), dir };
  }
}

async function collected<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

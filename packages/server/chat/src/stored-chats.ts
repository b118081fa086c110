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
import { HistoryReader, type StoredPlace, type Stretch } from './history-reader.ts';
import type { ShownChats } from './shown-chats.ts';

interface StoredChatsOptions {
  readonly host: Pick<SessionHost, 'get'>;
  readonly agents: ChatAgents;
  readonly outbox: Pick<OutboxStore, 'pending'>;
  readonly subagents: SubagentView | undefined;
  readonly onError: (error: unknown) => void;
  readonly shown: Pick<ShownChats, 'turnOf' | 'stateOf' | 'cursorOf' | 'caughtUp'>;
}

interface HistoryRequest {
  readonly limit: number;
  readonly before?: string | undefined;
}

/** What agents have stored of chats. */
export class StoredChats implements ChatHistory {
  readonly #options: StoredChatsOptions;

  readonly #reader: HistoryReader;

  constructor(options: StoredChatsOptions) {
    this.#options = options;
    this.#reader = new HistoryReader(options);
  }

  async messages(chatId: string, page: HistoryRequest, { tenant }: ChatCaller): Promise<ChatHistoryPage | undefined> {
    return await this.#read(chatKey(chatId, tenant), page);
  }

  /** Read again where a turn has begun or ended meanwhile: its answer would be missing, or be here and in its stream. */
  async #read(key: string, page: HistoryRequest, attempts = 3): Promise<ChatHistoryPage | undefined> {
    const { host, outbox, shown } = this.#options;
    await shown.caughtUp(key);
    const running = shown.turnOf(key);
    // Before the history is read: a turn that ends meanwhile ends after it.
    const cursor = shown.cursorOf(key);
    // Before the history: what is finished in between is in both, and else would be in neither.
    const pending = await outbox.pending(key);
    const session = await host.get(key);
    if (session === undefined) return undefined;
    const place = await this.#placeOf(session);
    const isPending = pending.some(({ uuid }) => uuid === page.before);
    // One more, in the place of the answer that runs.
    const limit = page.limit + 1;
    let stretch = await this.#reader.read(place, { limit, before: page.before });
    if (isPending && !stretch.has(page.before ?? '')) stretch = await this.#reader.read(place, { limit });
    if (attempts > 1 && shown.turnOf(key) !== running) return await this.#read(key, page, attempts - 1);
    const isRunning = shown.turnOf(key) !== undefined;
    const drawn = stretch.messages.filter(({ id }) => running === undefined || id !== answerIdOf(running));
    const waiting = unstored(session, stretch, pending);
    const at = waiting.findIndex(({ id }) => id === page.before);
    // Those that wait come after all that is stored.
    const behind = page.before === undefined ? waiting : waiting.slice(0, Math.max(0, at));
    const messages = withWholeTexts([...drawn, ...behind]);
    const hasEarlier = stretch.hasEarlier || messages.length > page.limit;
    return { messages: messages.slice(-page.limit), hasEarlier, isRunning, cursor, state: shown.stateOf(session) };
  }

  /** Without a title where the options of the chat cannot be had: the others would not be listed either. */
  async titleOf(session: SessionInfo): Promise<string | undefined> {
    try {
      const { sessions, dir, sessionId } = await this.#placeOf(session);
      const { customTitle, firstPrompt, summary } = (await sessions.get(sessionId, { dir })) ?? {};
      // The summary is the last prompt, so that the title would change with each message.
      return customTitle ?? firstPrompt ?? summary;
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }

  /** Settles with whether there is something stored: a chat whose agent never answered has no title either. */
  async rename(session: SessionInfo, title: string): Promise<boolean> {
    const { sessions, dir, sessionId } = await this.#placeOf(session);
    if ((await sessions.get(sessionId, { dir })) === undefined) return false;
    await sessions.rename(sessionId, title, { dir });
    return true;
  }

  /** Finds where a session is stored. The result removes it. */
  async find(session: SessionInfo): Promise<() => Promise<void>> {
    const { sessions, dir, sessionId } = await this.#placeOf(session);
    return async () => {
      this.#options.agents.forget(session.id);
      // A chat whose agent never answered has stored nothing.
      if ((await sessions.get(sessionId, { dir })) === undefined) return;
      await sessions.delete(sessionId, { dir });
    };
  }

  async #placeOf({ id, tenant, sessionId }: SessionInfo): Promise<StoredPlace & { readonly sessions: StoredSessions }> {
    const { stored, dir } = await this.#options.agents.placesOf(id, tenant);
    return { sessions: storedSessions(stored), dir, sessionId };
  }
}

/** Messages that were accepted, and that no agent has stored yet. */
function unstored(
  { sessionId }: SessionInfo,
  stored: Pick<Stretch, 'has'>,
  pending: readonly OutboxEntry[],
): readonly UiMessage[] {
  return pending.flatMap(({ uuid, input }) => {
    if (stored.has(uuid)) return [];
    const message = { role: 'user', content: input.content };
    const fields = { session_id: sessionId, parent_tool_use_id: null, parent_agent_id: null };
    return toUiMessages([{ type: 'user', uuid, message, ...fields }]);
  });
}

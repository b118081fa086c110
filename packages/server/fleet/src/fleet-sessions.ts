import type {
  ChatCaller,
  ChatInput,
  ChatSendOptions,
  ChatSessions,
  ChatStart,
  ChatStream,
  ChatSummary,
  Worker,
} from '@hexagent/ports';
import type { FleetCalls } from './fleet-calls.ts';
import type { FleetParts } from './fleet-parts.ts';
import { startChat } from './start-chat.ts';

/** The chats of all workers. */
export class FleetSessions implements ChatSessions {
  readonly #calls: FleetCalls;
  readonly #keyOf: FleetParts['keyOf'];

  constructor(calls: FleetCalls, { keyOf }: Pick<FleetParts, 'keyOf'>) {
    this.#calls = calls;
    this.#keyOf = keyOf;
  }

  async start(chatId: string, message: ChatInput, options: ChatSendOptions, caller: ChatCaller): Promise<ChatStart> {
    const key = this.#keyOf(chatId, caller);
    return await this.#calls.search({ key, caller }, (search) =>
      startChat(search, async (door, worker) => {
        const started = await door.sessions.start(chatId, message, options, caller);
        if (!('stream' in started) || started.stream === undefined) return started;
        return { ...started, stream: this.#calls.watched(started.stream, key, worker) };
      }),
    );
  }

  async stream(
    chatId: string,
    caller: ChatCaller,
    options?: { readonly after?: string | undefined },
  ): Promise<ChatStream | undefined> {
    const key = this.#keyOf(chatId, caller);
    const late = (stream: ChatStream | undefined): void => void stream?.body.cancel().catch(() => {});
    return await this.#calls.ask(
      chatId,
      caller,
      async ({ sessions }, worker) => {
        const stream = await sessions.stream(chatId, caller, options);
        return stream && this.#calls.watched(stream, key, worker);
      },
      { late },
    );
  }

  async interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#calls.ask(chatId, caller, ({ sessions }) => sessions.interrupt(chatId, caller));
  }

  async restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#calls.ask(chatId, caller, ({ sessions }) => sessions.restart(chatId, caller));
  }

  async discard(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#calls.ask(chatId, caller, ({ sessions }) => sessions.discard(chatId, caller));
  }

  /** One worker reads the stores that all of them share. What it does not drive looks idle to it. */
  async list(
    page: { readonly limit: number; readonly offset: number },
    caller: ChatCaller,
  ): Promise<readonly ChatSummary[]> {
    const { chats, worker } = await this.#calls.search({ key: undefined, caller }, (search) =>
      search.ask(
        async ({ sessions }, asked): Promise<{ readonly chats: readonly ChatSummary[]; readonly worker: Worker }> => ({
          chats: await sessions.list(page, caller),
          worker: asked,
        }),
      ),
    );
    const ids = chats.map(({ id }) => id);
    const states = await this.#calls.states(ids, caller, worker);
    return chats.map((chat) => ({ ...chat, state: states[chat.id] ?? chat.state }));
  }

  async rename(chatId: string, title: string, caller: ChatCaller): Promise<boolean> {
    return await this.#calls.ask(chatId, caller, ({ sessions }) => sessions.rename(chatId, title, caller));
  }

  /** A chat of the same id may have begun since, when the answer of a worker does not arrive: it is not deleted as well. */
  async delete(chatId: string, caller: ChatCaller): Promise<boolean> {
    const act = ({ sessions }: { readonly sessions: ChatSessions }): Promise<boolean> =>
      sessions.delete(chatId, caller);
    return await this.#calls.ask(chatId, caller, act, { isDoneOnce: true });
  }
}

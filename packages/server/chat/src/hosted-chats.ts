import { Serial } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import type {
  ChatCaller,
  ChatInput,
  ChatSessions,
  ChatStart,
  ChatState,
  ChatStream,
  ChatSummary,
  ChatSendOptions,
} from '@hexagent/ports';
import type { Receipt, SessionHost } from '@hexagent/hosting';
import { chatIdOf, chatKey, messageUuid } from './chat-keys.ts';
import { refuseTurnElsewhere, turnElsewhere } from './elsewhere.ts';
import { withoutMentions } from './file-mentions.ts';
import { ownSessions } from './own-sessions.ts';
import type { ShownChats } from './shown-chats.ts';
import type { StoredChats } from './stored-chats.ts';

interface HostedChatsOptions {
  readonly host: SessionHost;
  readonly shown: ShownChats;
  readonly stored: Pick<StoredChats, 'titleOf' | 'rename' | 'find'>;
  /** Called before a message is sent, with the model and the mode that its request named. */
  readonly applyOptions: (key: string, options: ChatSendOptions) => Promise<void>;
  /** Whether a message may name files with `@`. */
  readonly fileMentions: boolean;
  /** The messages of a chat that are not finished, in their order. */
  readonly pendingOf: (key: string) => Promise<readonly string[]>;
}

interface SentMessage {
  readonly uuid: string;
  readonly message: ChatInput;
  readonly options: ChatSendOptions;
  readonly caller: ChatCaller;
}

/** The chats of a page, as sessions of a host. */
export class HostedChats implements ChatSessions {
  readonly #options: HostedChatsOptions;
  readonly #shown: ShownChats;
  /** The requests that send messages to a chat. */
  readonly #sending = new Map<string, Serial>();

  constructor(options: HostedChatsOptions) {
    this.#options = options;
    this.#shown = options.shown;
  }

  async start(chatId: string, message: ChatInput, options: ChatSendOptions, caller: ChatCaller): Promise<ChatStart> {
    const key = chatKey(chatId, caller.tenant);
    const uuid = await messageUuid(key, message.id);
    return await this.#inOrder(key, () => this.#start(key, { uuid, message, options, caller }));
  }

  /** One request after another: of two messages at once, the second finds a turn that runs. */
  #inOrder<T>(key: string, task: () => Promise<T>): Promise<T> {
    const serial = this.#sending.get(key) ?? new Serial(() => this.#sending.delete(key));
    this.#sending.set(key, serial);
    return serial.run(task);
  }

  /** Resolves when the messages of a chat that were sent so far are stored, or are not. */
  async #sent(key: string): Promise<void> {
    await this.#sending.get(key)?.settled();
  }

  async #start(key: string, sent: SentMessage): Promise<ChatStart> {
    const { uuid, options } = sent;
    const live = this.#shown.follow(key);
    if (live.isAnswered(uuid)) return { kind: 'duplicate', stream: undefined };
    // From here on the chat stays in memory, also while nothing of it runs.
    const turn = this.#shown.awaitTurn(key, uuid);
    let isTaken = false;
    let isClosed = false;
    try {
      const other = live.turnId ?? (await turnElsewhere(this.#options, key, uuid));
      if (other !== undefined && !live.isShown(uuid) && !options.steer) return { kind: 'busy' };
      // A host sends an agent one message at a time, except one with a priority: that goes to the agent's own queue.
      const receipt = await this.#send(key, sent, other !== undefined && other !== uuid);
      if (receipt.kind === 'full' || receipt.kind === 'unknown') return receipt;
      if (receipt.isElsewhere)
        return isOver(receipt) ? { kind: 'duplicate', stream: undefined } : { kind: 'elsewhere' };
      isTaken = !isOver(receipt);
      if (receipt.kind === 'duplicate') await this.#shown.caughtUp(key);
      const found = receipt.kind === 'accepted' ? await turn : live.turnOf(uuid);
      const stream = isTaken && found !== undefined ? live.streamOf(found) : undefined;
      return stream !== undefined && receipt.kind === 'accepted'
        ? { kind: 'accepted', stream }
        : { kind: 'duplicate', stream };
    } catch (error) {
      isClosed = SdkError.is(error) && error.code === 'HOST_CLOSED';
      throw error;
    } finally {
      this.#shown.endAwaiting(key);
      // A host that is closed has no stores any more in which its sessions could be looked up.
      if (!isTaken && !isClosed) await this.#shown.releaseParked(key);
    }
  }

  async #send(
    key: string,
    { uuid, message, options, caller }: SentMessage,
    isJoining: boolean,
  ): Promise<Extract<ChatStart, { kind: 'full' | 'unknown' }> | Receipt> {
    const { host, applyOptions, fileMentions } = this.#options;
    try {
      if (options.continues === true && (await host.get(key)) === undefined) return { kind: 'unknown' };
      const content = fileMentions ? message.content : withoutMentions(message.content);
      await host.create(key, { tenant: caller.tenant, unlessFull: { content } });
      await applyOptions(key, options);
      // The agent of another process would not have what the page chose.
      const isRouted = options.model === undefined && options.permissionMode === undefined;
      return await host.send(key, { uuid, content, ...(isJoining && { priority: 'next' as const }) }, { isRouted });
    } catch (error) {
      if (SdkError.is(error) && error.code === 'HOST_FULL') return { kind: 'full' };
      throw error;
    }
  }

  async stream(
    chatId: string,
    caller: ChatCaller,
    { after }: { readonly after?: string | undefined } = {},
  ): Promise<ChatStream | undefined> {
    const key = chatKey(chatId, caller.tenant);
    const stream = (): ChatStream | undefined => {
      const live = this.#shown.get(key);
      const turn = live?.turnAfter(after);
      return turn && live?.streamOf(turn);
    };
    const shown = stream();
    if (shown !== undefined) return shown;
    await this.#sent(key);
    const sent = stream();
    if (sent !== undefined) return sent;
    await refuseTurnElsewhere(this.#options, key);
    await this.#shown.caughtUp(key);
    return stream();
  }

  async interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    // A message that is not stored yet can be neither taken back nor stopped.
    if (this.#shown.turnOf(key) === undefined) await this.#sent(key);
    const turn = this.#shown.turnOf(key);
    if (turn === undefined) await refuseTurnElsewhere(this.#options, key);
    // A message whose agent still starts is taken back; what runs is stopped.
    const cancelled = turn === undefined ? 'too_late' : await host.cancel(key, turn);
    const outcome = cancelled === 'too_late' ? await host.interrupt(key) : cancelled;
    return outcome === 'interrupted' || outcome === 'cancelled';
  }

  async restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#continueStuck(chatId, caller, (key) => {
      // Before it starts, so that a page that reads the response finds a stream.
      this.#shown.follow(key);
      return this.#options.host.restart(key);
    });
  }

  async discard(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#continueStuck(chatId, caller, (key) => this.#options.host.discard(key));
  }

  async list(
    { limit, offset }: { readonly limit: number; readonly offset: number },
    caller: ChatCaller,
  ): Promise<readonly ChatSummary[]> {
    const { host, shown, stored } = this.#options;
    const sessions = await ownSessions(host, caller, offset + limit);
    return await Promise.all(
      sessions.slice(offset, offset + limit).map(async (session) => ({
        id: chatIdOf(session.id),
        title: await stored.titleOf(session),
        updatedAt: session.updatedAt,
        state: shown.stateOf(session),
      })),
    );
  }

  /** The states of those that run here. */
  states(chatIds: readonly string[], caller: ChatCaller): Readonly<Record<string, ChatState>> {
    const { host, shown } = this.#options;
    const found = chatIds.flatMap((id) => {
      const session = host.driven(chatKey(id, caller.tenant));
      return session === undefined ? [] : [[id, shown.stateOf(session)] as const];
    });
    return Object.fromEntries(found);
  }

  async rename(chatId: string, title: string, caller: ChatCaller): Promise<boolean> {
    const session = await this.#options.host.get(chatKey(chatId, caller.tenant));
    return session !== undefined && (await this.#options.stored.rename(session, title));
  }

  async delete(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host, stored } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    const session = await host.get(key);
    if (session === undefined) return false;
    // Where that cannot be found, the chat is kept, so that it can be deleted later.
    const removeStored = await stored.find(session);
    await host.delete(key, { alsoDelete: removeStored });
    await this.#shown.forget(key);
    return true;
  }

  /** Settles with whether what is pending waited for `restart()` or `discard()`. */
  async #continueStuck(chatId: string, caller: ChatCaller, act: (key: string) => Promise<unknown>): Promise<boolean> {
    const key = chatKey(chatId, caller.tenant);
    const { isHeld = false, isCrashing = false } = (await this.#options.host.get(key)) ?? {};
    const isStuck = isHeld || isCrashing;
    await (isStuck ? act(key) : refuseTurnElsewhere(this.#options, key));
    await this.#shown.caughtUp(key);
    return isStuck;
  }
}

const isOver = ({ state }: Receipt): boolean => state === 'completed' || state === 'cancelled';

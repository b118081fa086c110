import { Deferred, Serial } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import type {
  ApprovalRecord,
  ChatCaller,
  ChatInput,
  ChatSessions,
  ChatStart,
  ChatState,
  ChatStream,
  ChatSummary,
  ChatSendOptions,
  SessionEvent,
} from '@hexagent/ports';
import type { Receipt, SessionHost, SessionInfo } from '@hexagent/hosting';
import { chatIdOf, chatKey, isOwn, messageUuid } from './chat-keys.ts';
import { ChatReader } from './chat-reader.ts';
import { chatStateOf } from './chat-state.ts';
import { refuseTurnElsewhere, turnElsewhere } from './elsewhere.ts';
import { withoutMentions } from './file-mentions.ts';
import type { LiveChat, LiveChatOptions, ReadableTurn } from './live-chat.ts';

export interface HostedChatsOptions extends LiveChatOptions {
  readonly host: SessionHost;
  /** Called before a message is sent, with the model and the mode that its request named. */
  readonly applyOptions: (key: string, options: ChatSendOptions) => Promise<void>;
  /** Whether a message may name files with `@`. */
  readonly fileMentions: boolean;
  /** The messages of a chat that are not finished, in their order. */
  readonly pendingOf: (key: string) => Promise<readonly string[]>;
  /** What a chat is called. */
  readonly titleOf: (session: SessionInfo) => Promise<string | undefined>;
  /** Changes it. Settles with whether the agent has stored anything. */
  readonly rename: (session: SessionInfo, title: string) => Promise<boolean>;
  /** Finds what the agent stored of a chat. The result removes it. */
  readonly findStored: (session: SessionInfo) => Promise<() => Promise<void>>;
  /** Receives what ended an agent. */
  readonly onError: (error: unknown) => void;
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
  readonly #readers = new Map<string, ChatReader>();
  /** The requests that send messages to a chat. */
  readonly #sending = new Map<string, Serial>();
  /** By chat: the message that is being sent, whose turn is waited for. */
  readonly #opening = new Map<string, { readonly uuid: string; readonly turn: Deferred<ReadableTurn> }>();
  /** The chats whose last turn failed. */
  readonly #failed = new Set<string>();

  constructor(options: HostedChatsOptions) {
    this.#options = options;
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
    const live = this.follow(key);
    if (live.isAnswered(uuid)) return { kind: 'duplicate', stream: undefined };
    const other = live.turnId ?? (await turnElsewhere(this.#options, key, uuid));
    if (other !== undefined && !live.isShown(uuid) && !options.steer) return { kind: 'busy' };
    const turn = new Deferred<ReadableTurn>().handled();
    this.#opening.set(key, { uuid, turn });
    let isTaken = false;
    let isClosed = false;
    try {
      // A host sends an agent one message at a time, except one with a priority: that goes to the agent's own queue.
      const receipt = await this.#send(key, sent, other !== undefined && other !== uuid);
      if (receipt.kind === 'full' || receipt.kind === 'unknown') return receipt;
      if (receipt.isElsewhere)
        return isOver(receipt) ? { kind: 'duplicate', stream: undefined } : { kind: 'elsewhere' };
      isTaken = !isOver(receipt);
      if (receipt.kind === 'duplicate') await this.caughtUp(key);
      const found = receipt.kind === 'accepted' ? await turn.promise : live.turnOf(uuid);
      const stream = isTaken && found !== undefined ? live.streamOf(found) : undefined;
      return stream !== undefined && receipt.kind === 'accepted'
        ? { kind: 'accepted', stream }
        : { kind: 'duplicate', stream };
    } catch (error) {
      isClosed = SdkError.is(error) && error.code === 'HOST_CLOSED';
      throw error;
    } finally {
      this.#opening.delete(key);
      // A host that is closed has no stores any more in which its sessions could be looked up.
      if (!isTaken && !isClosed) await this.releaseParked(key);
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
      const live = this.#readers.get(key)?.live;
      const turn = live?.turnAfter(after);
      return turn && live?.streamOf(turn);
    };
    const shown = stream();
    if (shown !== undefined) return shown;
    await this.#sent(key);
    const sent = stream();
    if (sent !== undefined) return sent;
    await refuseTurnElsewhere(this.#options, key);
    await this.caughtUp(key);
    return stream();
  }

  async interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    // A message that is not stored yet can be neither taken back nor stopped.
    if (this.#readers.get(key)?.live.turnId === undefined) await this.#sent(key);
    const turn = this.#readers.get(key)?.live.turnId;
    if (turn === undefined) await refuseTurnElsewhere(this.#options, key);
    // A message whose agent still starts is taken back; what runs is stopped.
    const cancelled = turn === undefined ? 'too_late' : await host.cancel(key, turn);
    const outcome = cancelled === 'too_late' ? await host.interrupt(key) : cancelled;
    return outcome === 'interrupted' || outcome === 'cancelled';
  }

  async restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    return await this.#continueStuck(chatId, caller, (key) => {
      // Before it starts, so that a page that reads the response finds a stream.
      this.follow(key);
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
    const { host, titleOf } = this.#options;
    const own = (await host.list({ tenant: caller.tenant })).filter(({ id }) => isOwn(id, caller));
    return await Promise.all(
      own.slice(offset, offset + limit).map(async (session) => ({
        id: chatIdOf(session.id),
        title: await titleOf(session),
        updatedAt: session.updatedAt,
        state: this.stateOf(session),
      })),
    );
  }

  async rename(chatId: string, title: string, caller: ChatCaller): Promise<boolean> {
    const session = await this.#options.host.get(chatKey(chatId, caller.tenant));
    return session !== undefined && (await this.#options.rename(session, title));
  }

  async delete(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host, findStored } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    const session = await host.get(key);
    if (session === undefined) return false;
    // Where that cannot be found, the chat is kept, so that it can be deleted later.
    const removeStored = await findStored(session);
    await host.delete(key, { alsoDelete: removeStored });
    await this.caughtUp(key);
    this.#failed.delete(key);
    return true;
  }

  /** Settles with whether what is pending waited for `restart()` or `discard()`. */
  async #continueStuck(chatId: string, caller: ChatCaller, act: (key: string) => Promise<unknown>): Promise<boolean> {
    const key = chatKey(chatId, caller.tenant);
    const { isHeld = false, isCrashing = false } = (await this.#options.host.get(key)) ?? {};
    const isStuck = isHeld || isCrashing;
    await (isStuck ? act(key) : refuseTurnElsewhere(this.#options, key));
    await this.caughtUp(key);
    return isStuck;
  }

  /** The turn of a chat that runs, if one does. */
  turnOf(key: string): string | undefined {
    return this.#readers.get(key)?.live.turnId;
  }

  /** Where the facts of a chat stand: smaller than any of what is reported from now on. */
  cursorOf(key: string): string {
    return this.#readers.get(key)?.live.cursor ?? '';
  }

  /** Resolves when what happened in a chat so far is shown. */
  async caughtUp(key: string): Promise<void> {
    await this.#readers.get(key)?.caughtUp();
  }

  /** Resolves when nothing is shown any more, once the host is closed. */
  async closed(): Promise<void> {
    await Promise.all([...this.#readers.values()].map(({ ended }) => ended));
  }

  /** Shows what waits for a person in the chat that asks. */
  approvalChanged(type: 'opened' | 'settled', record: ApprovalRecord): void {
    const isKnown = this.#options.host.report(record.session, { kind: `ask_${type}`, record });
    if (isKnown && type === 'opened') this.follow(record.session);
  }

  #receive(key: string, live: LiveChat, fact: SessionEvent): void {
    if (fact.kind === 'turn_started') this.#failed.delete(key);
    if (fact.kind === 'turn_ended' && fact.outcome.kind === 'failed') this.#failed.add(key);
    if (fact.kind === 'crashed') this.#options.onError(fact.error);
    live.take(fact);
    if (fact.kind === 'accepted') {
      const [turn, opening] = [live.turnOf(fact.uuid), this.#opening.get(key)];
      if (turn !== undefined && opening?.uuid === fact.uuid) opening.turn.resolve(turn);
    }
    if ((fact.kind === 'state' && fact.state === 'parked') || fact.kind === 'dropped') this.#release(key);
    if (fact.kind === 'ask_settled') void this.releaseParked(key);
  }

  /** Shows what a session does, from the beginning of what runs. */
  follow(key: string): LiveChat {
    const existing = this.#readers.get(key);
    if (existing !== undefined) return existing.live;
    const { host, onError } = this.#options;
    const reader = new ChatReader({
      host,
      key,
      live: this.#options,
      receive: (event, live) => this.#receive(key, live, event),
      lost: (error) => {
        if (!SdkError.is(error) || error.code !== 'HOST_CLOSED') onError(error);
        this.#opening.get(key)?.turn.reject(error);
        this.#readers.delete(key);
      },
    });
    this.#readers.set(key, reader);
    return reader.live;
  }

  /** Removes a chat from memory when nothing of it runs here. Also one that the host does not have: no end of an agent is reported for it. */
  async releaseParked(key: string): Promise<void> {
    try {
      await this.caughtUp(key);
      const { state = 'parked', pending = 0 } = (await this.#options.host.get(key)) ?? {};
      // What was cut off is remembered for the agent that continues with it.
      if (state === 'parked' && pending === 0) this.#release(key);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Removes a chat from memory, unless something of it runs or is to run. */
  #release(key: string): void {
    const reader = this.#readers.get(key);
    if (reader?.live.isEmpty !== true || this.#opening.has(key)) return;
    reader.leave();
    this.#readers.delete(key);
  }

  stateOf(session: SessionInfo): ChatState {
    return chatStateOf(session, this.#readers.get(session.id)?.live, this.#failed.has(session.id));
  }
}

const isOver = ({ state }: Receipt): boolean => state === 'completed' || state === 'cancelled';

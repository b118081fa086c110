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
} from '@hexagent/ports';
import type { HostEvent, SessionHost, SessionInfo } from '@hexagent/hosting';
import { endOf, failureOf } from './agent-failure.ts';
import { chatIdOf, chatKey, isOwn, messageUuid } from './chat-keys.ts';
import { chatStateOf } from './chat-state.ts';
import { refuseElsewhere } from './elsewhere.ts';
import { withoutMentions } from './file-mentions.ts';
import { inputText } from './input-text.ts';
import { LiveChat, type LiveChatOptions } from './live-chat.ts';

export interface HostedChatsOptions extends LiveChatOptions {
  readonly host: SessionHost;
  /** Called before a message is sent, with the model and the mode that its request named. */
  readonly applyOptions: (key: string, options: ChatSendOptions) => Promise<void>;
  /** Whether a message may name files with `@`. */
  readonly fileMentions: boolean;
  /** The message that a chat runs next, or would if it were not held. */
  readonly nextOf: (key: string) => Promise<string | undefined>;
  /** What a chat is called. */
  readonly titleOf: (session: SessionInfo) => Promise<string | undefined>;
  /** Changes it. Settles with whether the agent has stored anything. */
  readonly rename: (session: SessionInfo, title: string) => Promise<boolean>;
  /** Finds what the agent stored of a chat. The result removes it. */
  readonly findStored: (session: SessionInfo) => Promise<() => Promise<void>>;
  /** Receives what ended an agent. */
  readonly onError: (error: unknown) => void;
}

/** The chats of a page, as sessions of a host. */
export class HostedChats implements ChatSessions {
  readonly #options: HostedChatsOptions;
  readonly #live = new Map<string, LiveChat>();
  readonly #following = new Map<string, () => void>();
  /** The messages that are being stored, each with its chat. */
  readonly #accepting = new Map<string, Promise<unknown>>();
  /** The chats whose last turn failed. */
  readonly #failed = new Set<string>();

  constructor(options: HostedChatsOptions) {
    this.#options = options;
  }

  async start(chatId: string, message: ChatInput, options: ChatSendOptions, caller: ChatCaller): Promise<ChatStart> {
    const key = chatKey(chatId, caller.tenant);
    const uuid = await messageUuid(key, message.id);
    const live = this.#liveOf(key);
    if (live.isAnswered(uuid)) return { kind: 'duplicate', stream: undefined };
    const running = live.turnId;
    const isKnown = live.isSteering(uuid) || live.stream(uuid) !== undefined;
    if (running !== undefined && !isKnown && !options.steer) return { kind: 'busy' };
    // Before anything is waited for, so that of two messages at once the second finds a turn that runs.
    if (running === undefined) live.begin(uuid);
    else if (!isKnown) live.steer(uuid, inputText(message));
    const stream = live.stream(uuid) ?? live.stream();
    if (stream === undefined) throw new Error('A turn that has begun has no stream.');
    let isTaken = false;
    let isClosed = false;
    try {
      const accepting = this.#accept(key, message, { uuid, options, caller });
      if (!isKnown) this.#accepting.set(`${key} ${uuid}`, accepting);
      const accepted = await accepting;
      isTaken = accepted.kind === 'accepted' || (accepted.kind === 'duplicate' && accepted.isRunning);
      if (accepted.kind === 'full' || accepted.kind === 'unknown') return accepted;
      if (accepted.kind === 'accepted') return { kind: 'accepted', stream };
      return { kind: 'duplicate', stream: isTaken ? stream : undefined };
    } catch (error) {
      isClosed = SdkError.is(error) && error.code === 'HOST_CLOSED';
      throw error;
    } finally {
      if (!isKnown) this.#accepting.delete(`${key} ${uuid}`);
      if (!isTaken) await stream.body.cancel();
      // What an earlier request made continues for those that read it.
      if (!isTaken && !isKnown) this.#live.get(key)?.end(uuid);
      // A host that is closed has no stores any more in which its sessions could be looked up.
      if (!isTaken && !isKnown && !isClosed) await this.releaseParked(key);
    }
  }

  async #accept(
    key: string,
    message: ChatInput,
    { uuid, options, caller }: { uuid: string; options: ChatSendOptions; caller: ChatCaller },
  ): Promise<
    | Extract<ChatStart, { kind: 'full' | 'unknown' }>
    | { readonly kind: 'accepted' }
    | { readonly kind: 'duplicate'; readonly isRunning: boolean }
  > {
    const { host, applyOptions, fileMentions } = this.#options;
    const live = this.#liveOf(key);
    try {
      if (options.continues === true && (await host.get(key)) === undefined) return { kind: 'unknown' };
      const content = fileMentions ? message.content : withoutMentions(message.content);
      await host.create(key, { tenant: caller.tenant, unlessFull: { content } });
      await applyOptions(key, options);
      // A host sends an agent one message at a time, except one with a priority: that goes to the agent's own queue.
      const steers = live.isSteering(uuid) && { priority: 'next' as const };
      const receipt = await host.send(key, { uuid, content, ...steers });
      receipt.done.then(
        (end) => live.done(uuid, end.state === 'cancelled' ? { kind: 'aborted' } : undefined),
        (error: unknown) => live.end(uuid, endOf(error)),
      );
      if (receipt.kind === 'accepted') return { kind: 'accepted' };
      return { kind: 'duplicate', isRunning: receipt.state !== 'completed' && receipt.state !== 'cancelled' };
    } catch (error) {
      if (SdkError.is(error) && error.code === 'HOST_FULL') return { kind: 'full' };
      throw error;
    }
  }

  async stream(chatId: string, caller: ChatCaller): Promise<ChatStream | undefined> {
    const key = chatKey(chatId, caller.tenant);
    const stream = (): ChatStream | undefined => this.#live.get(key)?.resume();
    const shown = stream();
    if (shown !== undefined) return shown;
    await this.#refuseElsewhere(key);
    return stream();
  }

  async interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    const turn = this.#live.get(key)?.turnId;
    if (turn === undefined) await this.#refuseElsewhere(key);
    // One that is not stored yet can be neither taken back nor stopped.
    await this.#accepting.get(`${key} ${turn}`)?.catch(() => {}); // reported to who has sent it
    // A message whose agent still starts is taken back; what runs is stopped.
    const cancelled = turn === undefined ? 'too_late' : await host.cancel(key, turn);
    const outcome = cancelled === 'too_late' ? await host.interrupt(key) : cancelled;
    return outcome === 'interrupted' || outcome === 'cancelled';
  }

  async restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host, nextOf } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    if (!(await this.#isStuck(key))) return false;
    const next = await nextOf(key);
    const live = this.#liveOf(key);
    // Before it starts, so that a page that reads the response finds a stream.
    const turn = next === undefined ? undefined : live.beginNext(next);
    try {
      await host.restart(key);
      return true;
    } catch (error) {
      if (turn !== undefined) live.end(turn, { kind: 'aborted' });
      throw error;
    }
  }

  async discard(chatId: string, caller: ChatCaller): Promise<boolean> {
    const { host } = this.#options;
    const key = chatKey(chatId, caller.tenant);
    const isStuck = await this.#isStuck(key);
    if (isStuck) await host.discard(key);
    return isStuck;
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
    this.#live.get(key)?.endAll({ kind: 'aborted' });
    this.#release(key);
    this.#failed.delete(key);
    return true;
  }

  /** Whether what is pending waits for `restart()` or `discard()`. */
  async #isStuck(key: string): Promise<boolean> {
    const { isHeld = false, isCrashing = false } = (await this.#options.host.get(key)) ?? {};
    if (!isHeld && !isCrashing) await this.#refuseElsewhere(key);
    return isHeld || isCrashing;
  }

  /** @throws {SdkError} `SESSION_HELD` where another process has a turn of the chat: here it would look as if none ran. */
  async #refuseElsewhere(key: string): Promise<void> {
    const { host, nextOf } = this.#options;
    if ((await nextOf(key)) !== undefined) await refuseElsewhere(host, key);
  }

  /** Shows what a session does from now on, of which an earlier process left this message. */
  takeUp(key: string, { uuid, isCut }: { readonly uuid: string; readonly isCut: boolean }): void {
    if (isCut) this.#liveOf(key).cut(uuid, { kind: 'aborted' });
    else this.#liveOf(key);
  }

  /** Lets pages wait for a turn that the host continues with by itself. */
  expect(key: string, turnId: string): void {
    this.#liveOf(key).begin(turnId);
  }

  /** The turn of a chat that runs, if one does. */
  turnOf(key: string): string | undefined {
    return this.#live.get(key)?.turnId;
  }

  /** A page is shown what came before the turn that runs, and reads its stream next. */
  promiseStream(key: string): void {
    this.#live.get(key)?.promiseStream();
  }

  /** Shows what waits for a person in the chat that asks. */
  approvalChanged(type: 'opened' | 'settled', record: ApprovalRecord): void {
    if (type === 'opened') return this.#liveOf(record.session).approvalOpened(record);
    // What is settled of a session that is not followed, such as the requests of an earlier process, is shown nowhere.
    const live = this.#live.get(record.session);
    if (live === undefined) return;
    live.approvalSettled(record);
    void this.releaseParked(record.session);
  }

  #receive(key: string, live: LiveChat, event: HostEvent): void {
    if (event.kind === 'turn_started') this.#failed.delete(key);
    if (event.kind === 'turn_ended' && event.outcome.kind === 'failed') this.#failed.add(key);
    if (event.kind === 'turn_started') live.started(event.turn, event);
    else if (event.kind === 'message') live.receive(event.turn, event.message);
    else if (event.kind === 'turn_ended') live.answer(event.turn, event.outcome);
    else if (event.kind === 'turn_cut') live.cut(event.turn, endOf(event.error));
    else if (event.kind === 'outbox') this.#moved(live, event);
    else if (event.kind === 'crashed') this.#crashed(live, event);
    else if (event.state === 'parked' && live.turnId === undefined) this.#release(key);
  }

  #moved(live: LiveChat, { uuid, state }: Extract<HostEvent, { kind: 'outbox' }>): void {
    if (state === 'completed') live.done(uuid);
    if (state === 'cancelled') live.done(uuid, { kind: 'aborted' });
  }

  #crashed(live: LiveChat, { error, restartsInMs }: Extract<HostEvent, { kind: 'crashed' }>): void {
    this.#options.onError(error);
    // What was to run is kept, and runs when it is asked for again.
    if (restartsInMs === undefined) live.endAll(failureOf(error));
    else live.beginAgain();
  }

  #liveOf(key: string): LiveChat {
    const existing = this.#live.get(key);
    if (existing !== undefined) return existing;
    const live = new LiveChat(this.#options);
    this.#live.set(key, live);
    this.#following.set(
      key,
      this.#options.host.observe(key, (event) => this.#receive(key, live, event)),
    );
    return live;
  }

  /** Removes a chat from memory when nothing of it runs here. Also one that the host does not have: no end of an agent is reported for it. */
  async releaseParked(key: string): Promise<void> {
    try {
      const { state = 'parked', pending = 0 } = (await this.#options.host.get(key)) ?? {};
      // What was cut off is remembered for the agent that continues with it.
      if (state === 'parked' && pending === 0) this.#release(key);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Removes a chat from memory when it has no agent. */
  #release(key: string): void {
    if (this.#live.get(key)?.turnId !== undefined) return;
    this.#following.get(key)?.();
    this.#following.delete(key);
    this.#live.delete(key);
  }

  stateOf(session: SessionInfo): ChatState {
    return chatStateOf(session, this.#live.get(session.id), this.#failed.has(session.id));
  }
}

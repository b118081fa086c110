import { Deferred } from '@hexagent/async';
import { SdkError, type ApprovalRecord, type ChatState, type SessionEvent } from '@hexagent/ports';
import type { SessionHost, SessionInfo } from '@hexagent/hosting';
import { ChatReader } from './chat-reader.ts';
import { chatStateOf } from './chat-state.ts';
import type { LiveChat, LiveChatOptions, ReadableTurn } from './live-chat.ts';

export interface ShownChatsOptions extends LiveChatOptions {
  readonly host: Pick<SessionHost, 'get' | 'observe' | 'position' | 'logged' | 'report'>;
  /** Receives what ended an agent. */
  readonly onError: (error: unknown) => void;
}

/** What is shown of the chats in which something happens. */
export class ShownChats {
  readonly #options: ShownChatsOptions;
  readonly #readers = new Map<string, ChatReader>();
  /** By chat: the message that is being sent, whose turn is waited for. */
  readonly #opening = new Map<string, { readonly uuid: string; readonly turn: Deferred<ReadableTurn> }>();
  /** The chats whose last turn failed. */
  readonly #failed = new Set<string>();

  constructor(options: ShownChatsOptions) {
    this.#options = options;
  }

  /** A chat that is followed. */
  get(key: string): LiveChat | undefined {
    return this.#readers.get(key)?.live;
  }

  /** Keeps a chat while a message is sent to it. Resolves with the turn of the message once that is shown. */
  awaitTurn(key: string, uuid: string): Promise<ReadableTurn> {
    const turn = new Deferred<ReadableTurn>().handled();
    this.#opening.set(key, { uuid, turn });
    return turn.promise;
  }

  /** No turn is awaited any more. */
  endAwaiting(key: string): void {
    this.#opening.delete(key);
  }

  /** Forgets a chat that was deleted, once that is shown. */
  async forget(key: string): Promise<void> {
    await this.caughtUp(key);
    this.#failed.delete(key);
  }

  /** The turn of a chat that runs, if one does. */
  turnOf(key: string): string | undefined {
    return this.get(key)?.turnId;
  }

  /** Where the facts of a chat stand: smaller than any of what is reported from now on. */
  cursorOf(key: string): string {
    return this.get(key)?.cursor ?? '';
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
    return chatStateOf(session, this.get(session.id), this.#failed.has(session.id));
  }
}

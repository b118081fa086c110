import { SdkError } from '@hexagent/ports';
import type {
  ChatAnswer,
  ChatApprovals,
  ChatCaller,
  ChatHistory,
  ChatHistoryPage,
  ChatInput,
  ChatSessions,
  ChatSettlement,
  ChatStart,
  ChatState,
  ChatStream,
  ChatSummary,
  ChatSendOptions,
} from '@hexagent/ports';
import { HandApprovals, type AskedByHand, type HandRequest } from './hand-approvals.ts';
import { HandTurn } from './hand-turn.ts';

/** A message as the history has it: in the form of the AI SDK. */
export interface HandMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly object[];
}

export interface HandChatsOptions {
  /** How many turns may run at once. Default: any number. */
  readonly room?: number | undefined;
  /** The time in milliseconds since 1970. Default: that of the system. */
  readonly now?: (() => number) | undefined;
}

interface HandChat {
  readonly id: string;
  readonly tenant: string | undefined;
  readonly received: ChatInput[];
  readonly messages: HandMessage[];
  readonly approvals: HandApprovals;
  turn: HandTurn | undefined;
  /** The last one that has ended, and how many had by then. */
  ended: { readonly turn: HandTurn; readonly place: string } | undefined;
  /** Set where a message was cut off. */
  cut: 'held' | 'crashed' | undefined;
  title: string | undefined;
  updatedAt: number;
}

/** Conversations whose turns a test writes by hand, one at a time in each chat. A tenant is one of a caller's. */
export class HandChats implements ChatSessions, ChatHistory, ChatApprovals {
  readonly #room: number;
  readonly #now: () => number;
  readonly #chats = new Map<string, HandChat>();
  #turns = 0;
  /** How many turns have ended. */
  #ends = 0;

  constructor({ room = Infinity, now = Date.now }: HandChatsOptions = {}) {
    this.#room = room;
    this.#now = now;
  }

  /** The turn that runs in a chat, if one does. */
  turnOf(chatId: string, tenant?: string): HandTurn | undefined {
    return this.#find(chatId, tenant)?.turn;
  }

  /** The messages that were accepted, in order. */
  receivedBy(chatId: string, tenant?: string): readonly ChatInput[] {
    return this.#find(chatId, tenant)?.received ?? [];
  }

  /** Makes a chat that has these earlier messages. */
  store(chatId: string, messages: readonly HandMessage[], tenant?: string): void {
    this.#make(chatId, tenant).messages.push(...messages);
  }

  /** Makes a chat that waits with a message which was cut off. */
  hold(chatId: string, how: 'held' | 'crashed' = 'held', tenant?: string): void {
    this.#make(chatId, tenant).cut = how;
  }

  /** Asks a person, in a chat that is made where there is none. It is withdrawn when the turn that runs ends. */
  ask(chatId: string, request: HandRequest = {}, tenant?: string): AskedByHand {
    return this.#make(chatId, tenant).approvals.ask(request);
  }

  async start(
    chatId: string,
    input: ChatInput,
    sendOptions: ChatSendOptions,
    { tenant }: ChatCaller,
  ): Promise<ChatStart> {
    const existing = this.#find(chatId, tenant);
    if (existing === undefined && sendOptions.continues === true) return { kind: 'unknown' };
    if (existing?.cut === 'crashed') throw new SdkError('SESSION_CRASHING', `The chat ${chatId} crashes.`);
    const isKnown = existing?.received.some(({ id }) => id === input.id) ?? false;
    // A page that sends it again continues what was cut off.
    if (isKnown && existing?.cut !== undefined && existing.received.at(-1)?.id === input.id) this.#goOn(existing);
    const running = existing?.turn;
    if (isKnown) return { kind: 'duplicate', stream: running?.read() };
    if (running !== undefined && !sendOptions.steer) return { kind: 'busy' };
    const isFull = [...this.#chats.values()].filter(({ turn }) => turn !== undefined).length >= this.#room;
    if (running === undefined && isFull) return { kind: 'full' };
    const chat = this.#make(chatId, tenant);
    chat.received.push(input);
    chat.messages.push({ id: input.id, role: 'user', parts: partsOf(input) });
    chat.updatedAt = this.#now();
    chat.cut = undefined;
    chat.turn ??= this.#createTurn(chat);
    return { kind: 'accepted', stream: chat.turn.read() };
  }

  async stream(
    chatId: string,
    { tenant }: ChatCaller,
    { after }: { readonly after?: string | undefined } = {},
  ): Promise<ChatStream | undefined> {
    const { turn, ended } = this.#find(chatId, tenant) ?? {};
    const missed = after !== undefined && ended !== undefined && ended.place > after ? ended.turn : undefined;
    return (turn ?? missed)?.read();
  }

  async interrupt(chatId: string, { tenant }: ChatCaller): Promise<boolean> {
    const turn = this.#find(chatId, tenant)?.turn;
    turn?.end();
    return turn !== undefined;
  }

  async restart(chatId: string, { tenant }: ChatCaller): Promise<boolean> {
    const chat = this.#find(chatId, tenant);
    if (chat?.cut === undefined) return false;
    this.#goOn(chat);
    return true;
  }

  async discard(chatId: string, { tenant }: ChatCaller): Promise<boolean> {
    const chat = this.#find(chatId, tenant);
    if (chat?.cut === undefined) return false;
    chat.cut = undefined;
    return true;
  }

  async list(
    { limit, offset }: { readonly limit: number; readonly offset: number },
    { tenant }: ChatCaller,
  ): Promise<readonly ChatSummary[]> {
    return [...this.#chats.values()]
      .filter((chat) => chat.tenant === tenant)
      .toSorted((one, other) => other.updatedAt - one.updatedAt)
      .slice(offset, offset + limit)
      .map((chat) => ({ id: chat.id, title: titleOf(chat), updatedAt: chat.updatedAt, state: stateOf(chat) }));
  }

  async rename(chatId: string, title: string, { tenant }: ChatCaller): Promise<boolean> {
    const chat = this.#find(chatId, tenant);
    if (chat !== undefined) chat.title = title;
    return chat !== undefined;
  }

  async delete(chatId: string, { tenant }: ChatCaller): Promise<boolean> {
    const chat = this.#find(chatId, tenant);
    chat?.turn?.end();
    return this.#chats.delete(keyOf(chatId, tenant));
  }

  async messages(
    chatId: string,
    { limit, before }: { readonly limit: number; readonly before?: string | undefined },
    { tenant }: ChatCaller,
  ): Promise<ChatHistoryPage | undefined> {
    const chat = this.#find(chatId, tenant);
    if (chat === undefined) return undefined;
    const end = before === undefined ? chat.messages.length : chat.messages.findIndex(({ id }) => id === before);
    const begin = Math.max(0, end - limit);
    const messages = chat.messages.slice(begin, Math.max(0, end));
    const place = { isRunning: chat.turn !== undefined, cursor: this.#cursor };
    return { messages, hasEarlier: begin > 0, ...place, state: stateOf(chat) };
  }

  async settle(
    chatId: string,
    approvalId: string,
    answer: ChatAnswer,
    { tenant }: ChatCaller,
  ): Promise<ChatSettlement> {
    return this.#find(chatId, tenant)?.approvals.settle(approvalId, answer) ?? { kind: 'unknown' };
  }

  #goOn(chat: HandChat): void {
    chat.cut = undefined;
    chat.turn = this.#createTurn(chat);
  }

  #createTurn(chat: HandChat): HandTurn {
    this.#turns += 1;
    const id = `answer-${this.#turns}`;
    const turn = new HandTurn((written) => {
      this.#ends += 1;
      chat.turn = undefined;
      chat.ended = { turn, place: this.#cursor };
      chat.updatedAt = this.#now();
      chat.approvals.withdrawAll();
      if (written === undefined) chat.cut = 'held';
      else chat.messages.push({ id, role: 'assistant', parts: [{ type: 'text', text: written }] });
    });
    return turn;
  }

  get #cursor(): string {
    return String(this.#ends).padStart(9, '0');
  }

  #find(chatId: string, tenant: string | undefined): HandChat | undefined {
    return this.#chats.get(keyOf(chatId, tenant));
  }

  #make(chatId: string, tenant: string | undefined): HandChat {
    const existing = this.#find(chatId, tenant);
    if (existing !== undefined) return existing;
    const chat: HandChat = {
      id: chatId,
      tenant,
      received: [],
      messages: [],
      approvals: new HandApprovals(),
      turn: undefined,
      ended: undefined,
      cut: undefined,
      title: undefined,
      updatedAt: this.#now(),
    };
    this.#chats.set(keyOf(chatId, tenant), chat);
    return chat;
  }
}

const keyOf = (chatId: string, tenant: string | undefined): string => JSON.stringify([tenant ?? null, chatId]);

const partsOf = ({ content }: ChatInput): readonly object[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function stateOf({ turn, approvals, cut }: HandChat): ChatState {
  if (approvals.isWaiting) return 'awaiting-approval';
  return turn === undefined ? (cut ?? 'idle') : 'running';
}

function titleOf({ title, messages: [first] }: HandChat): string | undefined {
  if (title !== undefined) return title;
  const text = first?.parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
  return text === '' ? undefined : text;
}

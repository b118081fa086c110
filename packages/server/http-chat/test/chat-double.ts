import type {
  ChatAnswer,
  ChatApprovals,
  ChatCaller,
  ChatHistory,
  ChatInput,
  ChatSessions,
  ChatSettlement,
  ChatStart,
  ChatStream,
  ChatSendOptions,
} from '@hexagent/ports';
import { HandChats, type HandTurn } from '@hexagent/testing';
import { createChatHandler, type ChatHandler, type ChatHandlerOptions } from '../src/index.ts';

/** What reached the conversations behind the handler. */
export interface Received {
  readonly call:
    | 'start'
    | 'stream'
    | 'interrupt'
    | 'restart'
    | 'discard'
    | 'list'
    | 'rename'
    | 'delete'
    | 'messages'
    | 'settle';
  readonly chatId: string;
  readonly caller: ChatCaller;
  readonly message?: ChatInput;
  readonly sendOptions?: ChatSendOptions;
  readonly answer?: ChatAnswer;
}

/** Conversations that a test writes by hand, with a list of what was asked of them. */
export class ChatDouble implements ChatSessions, ChatHistory, ChatApprovals {
  readonly received: Received[] = [];
  /** Each moment is later than the one before. */
  readonly hand: HandChats = new HandChats({ now: () => (this.#time += 1) });
  /** What the next message becomes, instead of what a chat makes of it. */
  nextStart: ChatStart | undefined;
  /** The same for the next answer. */
  nextSettlement: ChatSettlement | undefined;
  /** Thrown by whatever is called next. */
  failure: Error | undefined;
  #time = 0;

  turnOf(chatId: string): HandTurn | undefined {
    return this.hand.turnOf(chatId);
  }

  start(chatId: string, message: ChatInput, sendOptions: ChatSendOptions, caller: ChatCaller): Promise<ChatStart> {
    return this.#note({ call: 'start', chatId, caller, message, sendOptions }, async () =>
      this.nextStart === undefined ? await this.hand.start(chatId, message, sendOptions, caller) : this.nextStart,
    );
  }

  stream(
    chatId: string,
    caller: ChatCaller,
    options?: { readonly after?: string | undefined },
  ): Promise<ChatStream | undefined> {
    return this.#note({ call: 'stream', chatId, caller }, () => this.hand.stream(chatId, caller, options));
  }

  interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'interrupt', chatId, caller }, () => this.hand.interrupt(chatId, caller));
  }

  restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'restart', chatId, caller }, () => this.hand.restart(chatId, caller));
  }

  discard(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'discard', chatId, caller }, () => this.hand.discard(chatId, caller));
  }

  list(page: { limit: number; offset: number }, caller: ChatCaller): ReturnType<ChatSessions['list']> {
    return this.#note({ call: 'list', chatId: JSON.stringify(page), caller }, () => this.hand.list(page, caller));
  }

  rename(chatId: string, title: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'rename', chatId, caller }, () => this.hand.rename(chatId, title, caller));
  }

  delete(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'delete', chatId, caller }, () => this.hand.delete(chatId, caller));
  }

  messages(
    chatId: string,
    page: { limit: number; before?: string | undefined },
    caller: ChatCaller,
  ): ReturnType<ChatHistory['messages']> {
    return this.#note({ call: 'messages', chatId, caller }, () => this.hand.messages(chatId, page, caller));
  }

  settle(
    chatId: string,
    approvalId: string,
    answer: ChatAnswer,
    caller: ChatCaller,
  ): ReturnType<ChatApprovals['settle']> {
    return this.#note({ call: 'settle', chatId, caller, answer }, async () => {
      const { nextSettlement } = this;
      this.nextSettlement = undefined;
      return nextSettlement ?? (await this.hand.settle(chatId, approvalId, answer, caller));
    });
  }

  async #note<T>(received: Received, result: () => Promise<T>): Promise<T> {
    this.received.push(received);
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return await result();
  }
}

export interface Place {
  readonly chats: ChatDouble;
  readonly handler: ChatHandler;
  readonly errors: unknown[];
}

export function place(options: Partial<ChatHandlerOptions> = {}): Place {
  const chats = new ChatDouble();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  return {
    chats,
    errors,
    handler: createChatHandler({ sessions: chats, approvals: chats, history: chats, onError, ...options }),
  };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is when a text, a list of bytes or a stream, else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A request as a page on the machine itself makes it. */
export function request({ method, path = '/api/chat', headers: more = {}, body, signal }: Sent = {}): Request {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  return new Request(`http://localhost:3000${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { host: 'localhost:3000', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body), duplex: 'half' }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What `useChat` sends for a message. */
export const userMessage = (text: string, id = 'msg1'): object => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
});

export const chatBody = (text = 'hello', more: object = {}): object => ({
  id: 'chat1',
  messages: [userMessage(text)],
  trigger: 'submit-message',
  ...more,
});

export async function errorOf(response: Response): Promise<{ code: string; message: string; remedy: string }> {
  // The shape is what the tests of refusals hold.
  const { error } = (await response.json()) as { error: { code: string; message: string; remedy: string } };
  return error;
}

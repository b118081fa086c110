import type {
  ChatAnswer,
  ChatApprovals,
  ChatCaller,
  ChatHistory,
  ChatInput,
  ChatSessions,
  ChatStart,
  ChatState,
  ChatStream,
  ChatWishes,
} from '@hexagent/ports';
import { createChatHandler, type ChatHandler, type ChatHandlerOptions } from '../src/index.ts';

const encoder = new TextEncoder();
const headers = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' };

/** What reached the conversations behind the handler. */
export interface Received {
  readonly call: 'start' | 'stream' | 'interrupt' | 'restart' | 'discard' | 'list' | 'delete' | 'messages' | 'settle';
  readonly chatId: string;
  readonly caller: ChatCaller;
  readonly message?: ChatInput;
  readonly wishes?: ChatWishes;
  readonly answer?: ChatAnswer;
}

/** Conversations whose turns a test writes by hand, one per chat; every reader gets the whole turn. */
export class ChatDouble implements ChatSessions, ChatHistory, ChatApprovals {
  readonly received: Received[] = [];
  readonly turns = new Map<string, HandTurn>();
  /** What the next message becomes, instead of what a chat makes of it. */
  nextStart: ChatStart | undefined;
  /** Chats with a message that was cut off. */
  readonly held = new Set<string>();
  /** Thrown by whatever is called next. */
  failure: Error | undefined;
  readonly #messages = new Map<string, ChatInput[]>();
  readonly #settled = new Map<string, ChatAnswer>();

  start(chatId: string, message: ChatInput, wishes: ChatWishes, caller: ChatCaller): Promise<ChatStart> {
    return this.#note({ call: 'start', chatId, caller, message, wishes }, () => {
      if (this.nextStart !== undefined) return this.nextStart;
      const messages = this.#messages.get(chatId) ?? [];
      const turn = this.turns.get(chatId);
      if (messages.some(({ id }) => id === message.id)) return { kind: 'duplicate', stream: turn?.read() };
      if (turn !== undefined && !wishes.steer) return { kind: 'busy' };
      this.#messages.set(chatId, [...messages, message]);
      const running = turn ?? new HandTurn(() => this.turns.delete(chatId));
      this.turns.set(chatId, running);
      return { kind: 'accepted', stream: running.read() };
    });
  }

  stream(chatId: string, caller: ChatCaller): Promise<ChatStream | undefined> {
    return this.#note({ call: 'stream', chatId, caller }, () => this.turns.get(chatId)?.read());
  }

  interrupt(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'interrupt', chatId, caller }, () => {
      const turn = this.turns.get(chatId);
      turn?.end();
      return turn !== undefined;
    });
  }

  restart(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'restart', chatId, caller }, () => this.held.delete(chatId));
  }

  discard(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'discard', chatId, caller }, () => this.held.delete(chatId));
  }

  list(page: { limit: number; offset: number }, caller: ChatCaller): ReturnType<ChatSessions['list']> {
    return this.#note({ call: 'list', chatId: JSON.stringify(page), caller }, () =>
      [...this.#messages.keys()]
        .slice(page.offset, page.offset + page.limit)
        .map((id) => ({ id, title: undefined, updatedAt: 0, state: this.#stateOf(id) })),
    );
  }

  delete(chatId: string, caller: ChatCaller): Promise<boolean> {
    return this.#note({ call: 'delete', chatId, caller }, () => this.#messages.delete(chatId));
  }

  messages(
    chatId: string,
    page: { limit: number; before?: string | undefined },
    caller: ChatCaller,
  ): ReturnType<ChatHistory['messages']> {
    return this.#note({ call: 'messages', chatId, caller }, () => {
      const messages = this.#messages.get(chatId);
      if (messages === undefined) return undefined;
      const state = this.#stateOf(chatId);
      return { messages: messages.slice(-page.limit), hasEarlier: false, isRunning: state === 'running', state };
    });
  }

  /** Of approvals there are `ask-1` and `ask-2`; `plan` refuses what does not fit. */
  settle(
    chatId: string,
    approvalId: string,
    answer: ChatAnswer,
    caller: ChatCaller,
  ): ReturnType<ChatApprovals['settle']> {
    return this.#note({ call: 'settle', chatId, caller, answer }, () => {
      if (approvalId === 'plan') return { kind: 'refused', reason: 'A plan has no `answers`.' };
      if (!['ask-1', 'ask-2'].includes(approvalId)) return { kind: 'unknown' };
      if (this.#settled.has(approvalId)) return { kind: 'already', state: 'answered' };
      this.#settled.set(approvalId, answer);
      return { kind: 'settled' };
    });
  }

  #stateOf(chatId: string): ChatState {
    if (this.turns.has(chatId)) return 'running';
    return this.held.has(chatId) ? 'held' : 'idle';
  }

  #note<T>(received: Received, result: () => T): Promise<T> {
    this.received.push(received);
    const { failure } = this;
    this.failure = undefined;
    return failure === undefined ? Promise.resolve(result()) : Promise.reject(failure);
  }
}

/** A turn that a test writes: whoever reads it gets all of it from its beginning. */
export class HandTurn {
  readonly #readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #ended: () => void;
  #written = '';
  /** Readers that went away. */
  cancelled = 0;

  constructor(ended: () => void = () => {}) {
    this.#ended = ended;
  }

  read(): ChatStream {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#readers.add(controller);
        if (this.#written !== '') controller.enqueue(encoder.encode(this.#written));
      },
      cancel: () => {
        this.cancelled += 1;
        if (own !== undefined) this.#readers.delete(own);
      },
    });
    return { headers, body };
  }

  write(text: string): void {
    this.#written += text;
    for (const reader of this.#readers) reader.enqueue(encoder.encode(text));
  }

  end(): void {
    this.#ended();
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
  }

  /** Breaks off, as a source of bytes does whose process dies. */
  fail(error: Error): void {
    for (const reader of this.#readers) reader.error(error);
    this.#readers.clear();
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

import { createChatHandler } from '@hexagent/http-chat';
import type {
  ChatAnswer,
  ChatApprovals,
  ChatHistory,
  ChatHistoryPage,
  ChatInput,
  ChatSessions,
  ChatSettlement,
  ChatStart,
  ChatState,
  ChatStream,
  ChatSummary,
} from '@hexagent/ports';
import type { UIMessage, UIMessageChunk } from 'ai';
import type { Handle } from '../../examples/chat/serve.ts';

/** A turn that a test scripts: what it writes, and what it waits for. */
export interface ScriptedTurn {
  readonly text: string;
  write(...chunks: readonly UIMessageChunk[]): void;
  /** Resolves with the answer of a person. */
  answerTo(approvalId: string): Promise<ChatAnswer>;
  /** Aborts when the person stops the turn. */
  readonly signal: AbortSignal;
}

export type TurnScript = (turn: ScriptedTurn) => Promise<void>;

type Reader = (chunk: UIMessageChunk | undefined) => void;

interface Running {
  readonly id: string;
  readonly sent: UIMessageChunk[];
  readonly readers: Set<Reader>;
  /** `undefined` once one is answered. */
  readonly approvals: Map<string, ((answer: ChatAnswer) => void) | undefined>;
  readonly stop: AbortController;
}

/** Chats that a test scripts, behind the real handler: states of the page that no model can be made to reach at will. */
export class StandIn implements ChatSessions, ChatApprovals, ChatHistory {
  readonly answers: ChatAnswer[] = [];
  readonly stored = new Map<string, UIMessage[]>();
  /** The texts of messages that were cut off, by their chats. */
  readonly held = new Map<string, string>();
  /** What chats are that have such a message. */
  heldState: 'held' | 'crashed' = 'held';
  readonly handle: Handle;
  readonly #running = new Map<string, Running>();
  readonly #script: TurnScript;
  #turns = 0;

  constructor(script: TurnScript) {
    this.#script = script;
    const onError = (error: unknown): void => console.error(error);
    this.handle = createChatHandler({ sessions: this, approvals: this, history: this, onError }).handle;
  }

  start(chatId: string, { id, content }: ChatInput): Promise<ChatStart> {
    if (this.#running.has(chatId)) return Promise.resolve({ kind: 'busy' });
    const text = typeof content === 'string' ? content : content.map((block) => textOf(block)).join('');
    const parts: UIMessage['parts'] = [{ type: 'text', text }];
    this.stored.set(chatId, [...(this.stored.get(chatId) ?? []), { id, role: 'user', parts }]);
    return Promise.resolve({ kind: 'accepted', stream: streamOf(this.#begin(chatId, text)) });
  }

  stream(chatId: string): Promise<ChatStream | undefined> {
    const running = this.#running.get(chatId);
    return Promise.resolve(running && streamOf(running));
  }

  interrupt(chatId: string): Promise<boolean> {
    const running = this.#running.get(chatId);
    running?.stop.abort();
    return Promise.resolve(running !== undefined);
  }

  settle(chatId: string, approvalId: string, answer: ChatAnswer): Promise<ChatSettlement> {
    const { approvals } = this.#running.get(chatId) ?? {};
    if (!approvals?.has(approvalId)) return Promise.resolve({ kind: 'unknown' });
    const resolve = approvals.get(approvalId);
    if (resolve === undefined) return Promise.resolve({ kind: 'already', state: 'answered' });
    approvals.set(approvalId, undefined);
    this.answers.push(answer);
    resolve(answer);
    return Promise.resolve({ kind: 'settled' });
  }

  /** Begins a turn with the message that was cut off. */
  restart(chatId: string): Promise<boolean> {
    const text = this.held.get(chatId);
    if (text === undefined) return Promise.resolve(false);
    this.held.delete(chatId);
    this.#begin(chatId, text);
    return Promise.resolve(true);
  }

  discard(chatId: string): Promise<boolean> {
    return Promise.resolve(this.held.delete(chatId));
  }

  list(): Promise<readonly ChatSummary[]> {
    const summaries = [...this.stored].map(([id, [first]]): ChatSummary => {
      const title = first?.parts.map((part) => textOf(part)).join('');
      return { id, title, updatedAt: Date.now(), state: this.#stateOf(id) };
    });
    return Promise.resolve(summaries);
  }

  messages(
    chatId: string,
    { limit, before }: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<ChatHistoryPage | undefined> {
    const all = this.stored.get(chatId);
    if (all === undefined) return Promise.resolve(undefined);
    const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
    const start = Math.max(0, end - limit);
    const state = this.#stateOf(chatId);
    const isRunning = state === 'running';
    return Promise.resolve({ messages: all.slice(start, end), hasEarlier: start > 0, isRunning, state });
  }

  delete(chatId: string): Promise<boolean> {
    return Promise.resolve(this.stored.delete(chatId));
  }

  #stateOf(chatId: string): ChatState {
    if (this.#running.has(chatId)) return 'running';
    return this.held.has(chatId) ? this.heldState : 'idle';
  }

  #begin(chatId: string, text: string): Running {
    this.#turns += 1;
    const stop = new AbortController();
    const running: Running = { id: `turn-${this.#turns}`, sent: [], readers: new Set(), approvals: new Map(), stop };
    this.#running.set(chatId, running);
    void this.#play(chatId, text, running);
    return running;
  }

  async #play(chatId: string, text: string, running: Running): Promise<void> {
    const { sent, readers, approvals, stop } = running;
    const write = (...chunks: readonly UIMessageChunk[]): void => {
      sent.push(...chunks);
      for (const reader of readers) for (const chunk of chunks) reader(chunk);
    };
    const answerTo = (approvalId: string): Promise<ChatAnswer> =>
      new Promise((resolve) => approvals.set(approvalId, resolve));
    write({ type: 'start', messageId: running.id });
    const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    await Promise.race([this.#script({ text, write, answerTo, signal: stop.signal }), stopped]);
    if (stop.signal.aborted) write({ type: 'abort' });
    for (const reader of readers) reader(undefined);
    this.#running.delete(chatId);
    // Of what was written, the texts: the tests read no more of it.
    const written = sent.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
    this.stored.get(chatId)?.push({ id: running.id, role: 'assistant', parts: [{ type: 'text', text: written }] });
  }
}

function streamOf({ sent, readers }: Running): ChatStream {
  const encoder = new TextEncoder();
  let reader: Reader;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      reader = (chunk) => {
        const data = chunk === undefined ? '[DONE]' : JSON.stringify(chunk);
        controller.enqueue(encoder.encode(`data: ${data}\n\n`));
        if (chunk === undefined) controller.close();
      };
      for (const chunk of sent) reader(chunk);
      readers.add(reader);
    },
    cancel: () => void readers.delete(reader),
  });
  return { headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' }, body };
}

function textOf(block: object): string {
  return 'text' in block && typeof block.text === 'string' ? block.text : '';
}

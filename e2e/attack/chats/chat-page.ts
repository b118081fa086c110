import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat } from '@hexagent/chat';
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { errorText } from '../error-text.ts';
import type { Chance } from '../../support/chance.ts';
import { approvalOf, chatOf, messageOf, type ChatAccount } from './chat-account.ts';
import { answerTo } from './chat-play.ts';
import type { PageMessage } from './page-messages.ts';
import { readMessage } from './read-message.ts';

export interface PageOptions {
  readonly chat: Chat;
  readonly chance: Chance;
  readonly account: ChatAccount;
  /** Turns that take longer are a hang. */
  readonly signal: AbortSignal;
}

type Chunks = ReadableStream<UIMessageChunk>;

const url = 'http://127.0.0.1/api';

/** A browser: it sends the messages of one chat with the client of `ai`, reads as it likes, and answers what it sees. */
export class ChatPage {
  readonly #options: PageOptions;
  readonly #id: string;
  readonly #transport: DefaultChatTransport<UIMessage>;
  /** The status of the last response that was an error, for the client throws errors without it. */
  #refusal = '';
  readonly #answering: Promise<void>[] = [];
  readonly #unread: ReadableStream[] = [];

  constructor(id: string, options: PageOptions) {
    this.#id = id;
    this.#options = options;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await options.chat.handle(new Request(input, init), { peer: '127.0.0.1' });
      if (!response.ok) this.#refusal = await response.clone().text();
      return response;
    };
    this.#transport = new DefaultChatTransport({ api: `${url}/chat`, fetch });
  }

  async sendAll(messages: readonly PageMessage[]): Promise<void> {
    for (const message of messages) await this.#send(message);
    await Promise.all(this.#answering);
    // Pages that were left open are closed at last.
    await Promise.all(this.#unread.map((body) => body.cancel()));
  }

  /** Until it is taken, as a person presses the key again. */
  async #send(message: PageMessage): Promise<void> {
    const { chance, account, signal } = this.#options;
    const { name } = message;
    while (!signal.aborted) {
      const stream = await this.#post(message);
      if (stream === 'busy') {
        if (chance.percent(30)) await this.#comeBack();
        await sleep(1 + chance.below(10));
        continue;
      }
      messageOf(account, name).isAccepted = true;
      const again = chance.percent(25) ? this.#repeat(message) : undefined;
      if (chance.percent(15)) this.#answering.push(this.#interrupt());
      if (stream !== undefined) await this.#read(name, stream);
      await again;
      if (!(await this.#isStored(name))) continue;
      return;
    }
    account.odd.push(`message ${name} is not answered in its time`);
  }

  /** The stream of its turn, or nothing where it is done with. */
  async #post({ name, id }: PageMessage): Promise<Chunks | 'busy' | undefined> {
    const { account } = this.#options;
    const message: UIMessage = { id, role: 'user', parts: [{ type: 'text', text: name }] };
    const call = { chatId: this.#id, messages: [message], messageId: undefined, abortSignal: undefined };
    try {
      return await this.#transport.sendMessages({ ...call, trigger: 'submit-message' });
    } catch (error) {
      if (this.#refusal.includes('MESSAGE_REPEATED')) return undefined;
      if (this.#refusal.includes('CHAT_BUSY')) return 'busy';
      account.odd.push(`message ${name} was refused: ${this.#refusal || errorText(error)}`);
      return 'busy';
    }
  }

  async #repeat(message: PageMessage): Promise<void> {
    const stream = await this.#post(message);
    if (stream !== undefined && stream !== 'busy') await this.#read(message.name, stream);
  }

  async #comeBack(): Promise<void> {
    const stream = await this.#transport.reconnectToStream({ chatId: this.#id });
    // Another page's turn, or this one's: it is only known that it can be read.
    if (stream !== null) await this.#readWhole(this.#id, stream);
  }

  async #read(name: string, stream: Chunks): Promise<void> {
    const { chance } = this.#options;
    const manner = chance.oneOf(['whole', 'whole', 'dropped', 'unread'] as const);
    if (manner === 'whole') return await this.#readWhole(name, stream);
    if (manner === 'unread') return void this.#unread.push(stream);
    await this.#readSome(stream);
    if (chance.percent(70)) await this.#comeBack();
  }

  async #readSome(stream: Chunks): Promise<void> {
    const { chance } = this.#options;
    const reader = stream.getReader();
    for (let left = chance.below(6); left > 0; left -= 1) {
      const read = reader.read();
      if (chance.percent(30)) break;
      const { done, value } = await read;
      if (done) break;
      this.#see(value);
    }
    await reader.cancel();
  }

  /** Of a message, or of whichever turn of the chat runs. */
  async #readWhole(of: string, stream: Chunks): Promise<void> {
    const { chance, account, signal } = this.#options;
    const isLate = of === this.#id || messageOf(account, of).ran > 0;
    const isSlow = chance.percent(30);
    const { text, ...read } = await readMessage(stream, {
      signal,
      onChunk: (chunk) => this.#see(chunk),
      pause: () => (isSlow ? sleep(chance.below(8)) : undefined),
    });
    const answer = of === this.#id ? '[answer to' : answerTo(of);
    account.streams.push({ of, ...read, answers: text.split(answer).length - 1, isLate });
  }

  #see(chunk: UIMessageChunk): void {
    const { chance } = this.#options;
    if (chunk.type !== 'tool-approval-request') return;
    const { approvalId, toolCallId } = chunk;
    // Every sixth is not answered; it expires.
    if (chance.percent(16)) return;
    this.#answering.push(
      (async () => {
        if (chance.percent(25)) await sleep(chance.below(300));
        await Promise.all([this.#answer(approvalId, toolCallId), this.#answer(approvalId, toolCallId)]);
      })(),
    );
  }

  async #answer(approvalId: string, toolUse: string): Promise<void> {
    const { account, chance } = this.#options;
    const approved = chance.percent(50);
    const response = await this.#call(`/chat/${this.#id}/approvals/${approvalId}`, { approved });
    const approval = approvalOf(account, toolUse);
    const text = await response.text();
    if (response.status === 200) approval.taken.push(approved ? 'allow' : 'deny');
    else if (response.status === 409) approval.refused.push(/approval is (\w+) already/.exec(text)?.[1] ?? text);
    else account.odd.push(`an answer was refused: ${response.status} ${text}`);
  }

  async #interrupt(): Promise<void> {
    const { account, chance } = this.#options;
    await sleep(chance.below(20));
    const response = await this.#call(`/chat/${this.#id}/interrupt`);
    const { interrupted } = (await response.json()) as { readonly interrupted: boolean }; // as its README says
    if (interrupted) account.stopped.add(this.#id);
  }

  async #call(path: string, body?: object): Promise<Response> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = new Request(`${url}${path}`, {
      method: 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return await this.#options.chat.handle(request, { peer: '127.0.0.1' });
  }

  /** Whether the page need not send it again: its turn runs, or it has its answer, or it was taken back. */
  async #isStored(name: string): Promise<boolean> {
    const { account } = this.#options;
    const { texts, isRunning } = await textsOf(this.#options.chat, this.#id);
    if (isRunning || texts.includes(answerTo(name))) return true;
    return account.stopped.has(chatOf(name));
  }
}

/** The history of a chat, as a page reads it. */
export async function textsOf(
  chat: Chat,
  id: string,
): Promise<{ readonly texts: readonly string[]; readonly isRunning: boolean }> {
  const response = await chat.handle(new Request(`${url}/sessions/${id}/messages`), { peer: '127.0.0.1' });
  if (!response.ok) return { texts: [], isRunning: false };
  const page = (await response.json()) as { readonly messages: readonly UIMessage[]; readonly isRunning: boolean };
  const texts = page.messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  return { texts, isRunning: page.isRunning };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatState } from '@hexagent/ports';
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import type { Chance } from '../../support/chance.ts';
import { errorText } from '../error-text.ts';
import { approvalOf, chatOf, messageOf, type ChatAccount } from './chat-account.ts';
import { answerTo } from './chat-play.ts';
import type { PageMessage } from './page-messages.ts';
import { readMessage } from './read-message.ts';

/** Where the server is that lives now. */
export interface ServerAddress {
  readonly url: string;
  /** Counts the servers. A request that began with another one may end anyhow. */
  readonly life: number;
}

export interface PageOptions {
  /** How its requests come to the server. */
  readonly fetch: typeof globalThis.fetch;
  /** Waits until there is one. */
  readonly address: () => Promise<ServerAddress>;
  readonly chance: Chance;
  readonly account: ChatAccount;
  /** How long a person may think about an approval; it may expire, or its server die meanwhile. */
  readonly mostPatienceMs: number;
  /** Whether some messages are to join the turn that runs. */
  readonly steers: boolean;
  /** Turns that take longer are a hang. */
  readonly signal: AbortSignal;
}

type Chunks = ReadableStream<UIMessageChunk>;

/** What a request came to: a stream, nothing more to do, to be tried again, or lost with its server. */
type Posted =
  | { readonly kind: 'stream'; readonly chunks: Chunks; readonly life: number }
  | { readonly kind: 'repeated' | 'busy' | 'lost' };

/** A browser whose server may die: it sends until it has the answer, reads as it likes, and answers what it sees. */
export class ChatPage {
  readonly #id: string;
  readonly #options: PageOptions;
  readonly #answering: Promise<void>[] = [];
  readonly #unread: ReadableStream[] = [];

  constructor(id: string, options: PageOptions) {
    this.#id = id;
    this.#options = options;
  }

  async sendAll(messages: readonly PageMessage[]): Promise<void> {
    for (const message of messages) if (!this.#options.signal.aborted) await this.#send(message);
    await Promise.all(this.#answering);
    // Of a server that has died, it is broken already.
    await Promise.all(this.#unread.map((body) => body.cancel().catch(() => {})));
  }

  /** Until its answer is in the history, or it was taken back: as a person does who looks again. */
  async #send(message: PageMessage): Promise<void> {
    const { chance, account, signal, steers } = this.#options;
    const { name } = message;
    const isSteering = steers && chance.percent(25);
    let isFirst = true;
    while (!signal.aborted) {
      const posted = await this.#post(message, isSteering);
      if (posted.kind === 'stream') {
        messageOf(account, name).isAccepted = true;
        const again = chance.percent(20) ? this.#repeat(message, isSteering) : undefined;
        if (chance.percent(12)) this.#answering.push(this.#interrupt());
        await this.#read(name, posted, { isLate: isSteering || !isFirst });
        await again;
      } else if (posted.kind === 'busy' && chance.percent(40)) await this.#comeBack();
      isFirst = false;
      if (posted.kind === 'repeated' || (await this.#isAnswered(name))) return;
      if (chance.percent(50)) await this.#restart();
      await sleep(5 + chance.below(20));
    }
    account.odd.push(`message ${name} is not answered in its time`);
  }

  async #post({ name, id }: PageMessage, isSteering: boolean): Promise<Posted> {
    const { account, address } = this.#options;
    const { url, life } = await address();
    let refusal: string | undefined;
    const fetch: typeof globalThis.fetch = async (...given) => {
      const response = await this.#options.fetch(...given);
      // The body too may be lost.
      if (!response.ok) refusal = await response.clone().text();
      return response;
    };
    const message: UIMessage = { id, role: 'user', parts: [{ type: 'text', text: name }] };
    try {
      const chunks = await new DefaultChatTransport({ api: `${url}/chat`, fetch }).sendMessages({
        chatId: this.#id,
        messages: [message],
        messageId: undefined,
        abortSignal: undefined,
        trigger: 'submit-message',
        ...(isSteering && { body: { steer: true } }),
      });
      return { kind: 'stream', chunks, life };
    } catch (error) {
      if (refusal?.includes('ALREADY_SENT')) return { kind: 'repeated' };
      if (refusal?.includes('CHAT_BUSY')) return { kind: 'busy' };
      if (await this.#isGone(life)) return { kind: 'lost' };
      account.odd.push(`message ${name} was refused: ${refusal ?? errorText(error)}`);
      return { kind: 'lost' };
    }
  }

  async #repeat(message: PageMessage, isSteering: boolean): Promise<void> {
    const posted = await this.#post(message, isSteering);
    if (posted.kind === 'stream') await this.#read(message.name, posted, { isLate: true });
  }

  async #comeBack(): Promise<void> {
    const { address, fetch } = this.#options;
    const { url, life } = await address();
    try {
      const chunks = await new DefaultChatTransport({ api: `${url}/chat`, fetch }).reconnectToStream({
        chatId: this.#id,
      });
      // Another page's turn, or this one's: it is only known that it can be read.
      if (chunks !== null) await this.#readWhole(this.#id, { chunks, life }, { isLate: true });
    } catch (error) {
      if (!(await this.#isGone(life))) this.#options.account.odd.push(`a page cannot come back: ${errorText(error)}`);
    }
  }

  async #read(
    name: string,
    stream: { readonly chunks: Chunks; readonly life: number },
    how: { readonly isLate: boolean },
  ): Promise<void> {
    const { chance } = this.#options;
    const manner = chance.oneOf(['whole', 'whole', 'dropped', 'unread'] as const);
    if (manner === 'whole') return await this.#readWhole(name, stream, how);
    if (manner === 'unread') return void this.#unread.push(stream.chunks);
    await this.#readSome(stream.chunks);
    if (chance.percent(70)) await this.#comeBack();
  }

  async #readSome(chunks: Chunks): Promise<void> {
    const { chance } = this.#options;
    const reader = chunks.getReader();
    try {
      for (let left = chance.below(6); left > 0; left -= 1) {
        const read = reader.read();
        if (chance.percent(20)) {
          read.catch(() => {});
          break;
        }
        const { done, value } = await read;
        if (done) break;
        this.#see(value);
      }
      await reader.cancel();
    } catch {
      // Its server has died, or dies now.
    }
  }

  async #readWhole(
    of: string,
    { chunks, life }: { readonly chunks: Chunks; readonly life: number },
    { isLate }: { readonly isLate: boolean },
  ): Promise<void> {
    const { chance, account, signal } = this.#options;
    const isSlow = chance.percent(30);
    const { text, ...read } = await readMessage(chunks, {
      signal,
      onChunk: (chunk) => this.#see(chunk),
      pause: () => (isSlow ? sleep(chance.below(20)) : undefined),
    });
    // A stream breaks off with its server. What came of it before must be readable all the same, which `ai` checks.
    if (signal.aborted || (read.last === undefined && (await this.#isGone(life)))) return;
    const answers = of === this.#id ? 0 : text.split(answerTo(of)).length - 1;
    account.streams.push({ of, ...read, answers, isLate });
  }

  #see(chunk: UIMessageChunk): void {
    const { chance, mostPatienceMs } = this.#options;
    if (chunk.type !== 'tool-approval-request') return;
    const { approvalId, toolCallId } = chunk;
    approvalOf(this.#options.account, toolCallId);
    // Every tenth is not answered, and may expire.
    if (chance.percent(10)) return;
    const answer = async (): Promise<void> => {
      if (chance.percent(60)) await sleep(chance.below(mostPatienceMs));
      await Promise.all([this.#answer(approvalId, toolCallId), this.#answer(approvalId, toolCallId)]);
    };
    this.#answering.push(answer());
  }

  async #answer(approvalId: string, toolUse: string): Promise<void> {
    const { account, chance } = this.#options;
    const approved = chance.percent(50);
    const behavior = approved ? 'allow' : 'deny';
    const approval = approvalOf(account, toolUse);
    const { url, life } = await this.#options.address();
    try {
      const response = await this.#request(`${url}/chat/${this.#id}/approvals/${approvalId}`, { approved });
      if (response.status === 200) return void approval.taken.push(behavior);
      const text = await response.text();
      if (response.status === 409) approval.refused.push(/approval is (\w+) already/.exec(text)?.[1] ?? text);
      else account.odd.push(`an answer was refused: ${response.status} ${text}`);
    } catch (error) {
      approval.unsure.push(behavior);
      if (!(await this.#isGone(life))) account.odd.push(`an answer was not heard: ${errorText(error)}`);
    }
  }

  async #interrupt(): Promise<void> {
    const { account, chance, address } = this.#options;
    await sleep(chance.below(40));
    const { url, life } = await address();
    try {
      const response = await this.#request(`${url}/chat/${this.#id}/interrupt`);
      const { interrupted } = (await response.json()) as { readonly interrupted: boolean }; // as its README says
      if (interrupted) account.stopped.add(this.#id);
    } catch (error) {
      // The server may have died after it had stopped the turn.
      account.stopped.add(this.#id);
      if (!(await this.#isGone(life))) account.odd.push(`a stop was not heard: ${errorText(error)}`);
    }
  }

  async #isAnswered(name: string): Promise<boolean> {
    const { url, life } = await this.#options.address();
    try {
      const { texts } = await historyAt(this.#options.fetch, url, this.#id);
      return texts.some((text) => text.includes(answerTo(name)));
    } catch (error) {
      if (!(await this.#isGone(life)))
        this.#options.account.odd.push(`no history of ${chatOf(name)}: ${errorText(error)}`);
      return false;
    }
  }

  /** What a person presses where a chat is shown as held. */
  async #restart(): Promise<void> {
    const { url, life } = await this.#options.address();
    try {
      await (await this.#request(`${url}/chat/${this.#id}/restart`)).arrayBuffer();
    } catch (error) {
      if (!(await this.#isGone(life))) this.#options.account.odd.push(`a restart was not heard: ${errorText(error)}`);
    }
  }

  /** Whether this server has died, or dies now: then a request to it fails. */
  async #isGone(life: number): Promise<boolean> {
    const now = await this.#options.address();
    if (now.life !== life) return true;
    try {
      await (await this.#options.fetch(`${now.url}/sessions?limit=1`)).arrayBuffer();
      return (await this.#options.address()).life !== life;
    } catch {
      return true;
    }
  }

  #request(url: string, body?: object): Promise<Response> {
    return post(this.#options.fetch, url, body);
  }
}

function post(fetch: PageOptions['fetch'], url: string, body?: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** The history of a chat, as a page reads it. */
async function historyAt(
  fetch: PageOptions['fetch'],
  url: string,
  id: string,
): Promise<{ readonly texts: readonly string[]; readonly state: ChatState }> {
  const response = await fetch(`${url}/sessions/${id}/messages`);
  if (response.status === 404) return { texts: [], state: 'idle' };
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const page = (await response.json()) as { readonly messages: readonly UIMessage[]; readonly state: ChatState }; // as the README of http-chat says
  const texts = page.messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  return { texts, state: page.state };
}

/** The texts of a chat, as soon as nothing runs in it, or waits to be continued. */
export async function settledTexts(
  id: string,
  { fetch, address, account, signal }: Pick<PageOptions, 'fetch' | 'address' | 'account' | 'signal'>,
): Promise<readonly string[]> {
  const { url } = await address();
  for (;;) {
    const { texts, state } = await historyAt(fetch, url, id);
    if (state === 'idle') return texts;
    if (signal.aborted) {
      account.odd.push(`the chat ${id} stays ${state}`);
      return texts;
    }
    if (state === 'held' || state === 'crashed') await (await post(fetch, `${url}/chat/${id}/restart`)).arrayBuffer();
    await sleep(20);
  }
}

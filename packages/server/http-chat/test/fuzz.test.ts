import { seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { chatBody, errorOf, place, request, userMessage, type Sent } from './chat-double.ts';

const seeds = Array.from({ length: 8 }, (_, seed) => seed);
const roundsPerSeed = 250;

class Odd {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  one<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  text(): string {
    return this.one([
      '',
      'x',
      '../..',
      '%00',
      '\u0000',
      '\ud800',
      '🙂',
      '/model opus',
      'a b',
      'x'.repeat(300),
      'chat1',
      '-1',
      '1e9',
    ]);
  }

  value(depth = 0): unknown {
    const kind = this.below(depth > 3 ? 5 : 8);
    if (kind < 5) return [this.text(), this.below(9) - 4, null, true, chatBody()][kind];
    if (kind === 5) return Array.from({ length: this.below(4) }, () => this.value(depth + 1));
    if (kind === 6) return { ...userMessage('hi'), [this.name()]: this.value(depth + 1) };
    return Object.fromEntries(Array.from({ length: this.below(5) }, () => [this.name(), this.value(depth + 1)]));
  }

  name(): string {
    return this.one([
      'id',
      'message',
      'messages',
      'parts',
      'role',
      'type',
      'text',
      'url',
      'trigger',
      'approved',
      'answers',
      'suggestions',
      'model',
      'cwd',
      '__proto__',
      'constructor',
      'toString',
      'length',
    ]);
  }

  /** Something that would be answered, with one thing changed, or with none. */
  nearlyRight(): Sent {
    const right = this.one<Sent>([
      { body: chatBody('hi', { id: `chat${this.below(50)}` }) },
      { body: { id: `chat${this.below(50)}`, message: userMessage(this.text()) } },
      { path: '/api/chat/chat1/approvals/ask-1', body: { approved: true } },
      { path: '/api/chat/chat1/stream' },
      { path: '/api/chat/chat1/interrupt', method: 'POST' },
      { path: '/api/sessions?limit=5' },
      { path: '/api/sessions/chat1/messages' },
      { path: '/api/sessions/chat1', method: 'DELETE' },
    ]);
    const { method, path, headers, body } = this.request();
    const other = this.one<Sent>([
      {},
      {},
      { method: method ?? 'GET' },
      { path: path ?? '' },
      { headers: headers ?? {} },
      { body },
    ]);
    const changed = { ...right, ...other };
    if (changed.method !== 'GET' && changed.method !== 'HEAD') return changed;
    const { body: _, ...bodiless } = changed;
    return bodiless;
  }

  request(): Sent {
    const method = this.one(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']);
    const segment = (): string =>
      this.one([
        'chat',
        'sessions',
        'chat1',
        'stream',
        'interrupt',
        'approvals',
        'ask-1',
        'messages',
        '',
        '..',
        '%2e%2e',
        encodeURIComponent('é/'),
        '%zz',
        '%00',
      ]);
    const path = `/${['api', ...Array.from({ length: this.below(5) }, segment)].join('/')}`;
    const query = this.one(['', '', '?limit=5', `?limit=${encodeURIComponent('-é')}`, '?before=..', '?&&==']);
    const header = this.one([
      'origin',
      'host',
      'content-type',
      'content-length',
      'authorization',
      'sec-fetch-site',
      'x-tenant',
    ]);
    const headers =
      this.below(3) === 0
        ? { [header]: this.one(['', 'null', 'x', 'http://localhost:3000', 'application/json', '-1', '[::1', 'a,b']) }
        : {};
    const body = this.body();
    return { method, path: path + query, headers, ...(method === 'GET' || method === 'HEAD' ? {} : { body }) };
  }

  body(): unknown {
    const value = this.one([() => this.value(), () => chatBody(this.text(), { [this.name()]: this.value() })])();
    const text = JSON.stringify(value) ?? '';
    if (this.below(4) > 0) return text;
    const cut = this.below(text.length + 1);
    return text.slice(0, cut) + this.one(['', '\u0000', '{', '"', ']']) + text.slice(cut + this.below(3));
  }
}

describe('A handler of a chat page, with any request,', () => {
  it.each(seeds)('answers with a status of its own and lets nothing odd through (seed %i)', async (seed) => {
    const odd = new Odd(seed);
    const { handler, chats, errors } = place({ limits: { textChars: 200 } });
    const statuses = new Map<number, number>();
    for (let round = 0; round < roundsPerSeed; round += 1) {
      const sent = odd.below(3) === 0 ? odd.request() : odd.nearlyRight();
      const response = await handler.handle(request(sent));
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const isRefused = response.status >= 400;
      const message = isRefused ? (await errorOf(response)).message : await response.body?.cancel();
      expect(message, JSON.stringify(sent)).not.toBe('');
      expect([200, 204, 400, 403, 404, 405, 409, 413, 415], JSON.stringify(sent)).toContain(response.status);
    }
    expect(errors).toEqual([]);
    const ids = chats.received.flatMap(({ call, chatId, message }) => [
      ...(call === 'list' ? [] : [chatId]),
      ...(message === undefined ? [] : [message.id]),
    ]);
    expect(ids.filter((id) => !/^[A-Za-z0-9_:-]{1,128}$/.test(id))).toEqual([]);
    const contents = chats.received.map(({ message }) => JSON.stringify(message?.content) ?? '');
    expect(contents.filter((content) => /"\/\w+/.test(content))).toEqual([]);
    const sendOptions = chats.received.flatMap((received) => [
      received.sendOptions?.model,
      received.sendOptions?.permissionMode,
    ]);
    expect(sendOptions.filter((wish) => wish !== undefined)).toEqual([]);
    // It is no test when all of it is refused at the door.
    expect([statuses.size > 4, chats.received.length > roundsPerSeed / 10]).toEqual([true, true]);
  });
});

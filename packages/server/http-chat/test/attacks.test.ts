import type { ChatCaller } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { ChatHandlerOptions, RequestFacts } from '../src/index.ts';
import { chatBody, errorOf, place, request, type Sent } from './chat-double.ts';
import { asked, hosted, open, token } from './attack.ts';
import { ofStrangers, unreadable } from './attacks-of-strangers.ts';
import { notAllowed } from './attacks-beyond-limits.ts';

describe('A handler of a chat page refuses', () => {
  it.each(Object.entries({ ...ofStrangers, ...unreadable, ...notAllowed }))(
    '%s',
    async (_, { options, facts, refused, ...sent }) => {
      const { handler, chats, errors } = place(options);
      const response = await handler.handle(request(sent), facts);
      const error = await errorOf(response);
      expect([response.status, error.code]).toEqual(refused);
      expect(error.remedy).not.toBe('');
      expect(JSON.stringify(error)).not.toMatch(/\bat .*:\d+|node_modules|\.ts\b/);
      expect([chats.received, errors]).toEqual([[], []]);
    },
  );

  it('every token but one, however many are tried', async () => {
    const { handler } = place({ token });
    const tried = Array.from({ length: 1000 }, (_, index) => `${token.slice(0, -1)}${index}`);
    const statuses = tried.map(async (wrong) => {
      const { status } = await handler.handle(request({ ...asked, headers: { authorization: `Bearer ${wrong}` } }));
      return status;
    });
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
  });

  it('a body without an end, of which it reads little more than its limit', async () => {
    const { handler } = place({ limits: { bodyBytes: 100_000 } });
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      sent += 10_000;
      controller.enqueue(new Uint8Array(10_000).fill(32));
    };
    const body = new ReadableStream<Uint8Array>({ pull });
    expect((await handler.handle(request({ ...asked, body }))).status).toBe(413);
    expect(sent).toBeLessThan(200_000);
  });

  it('more streams of one caller than the limit of each, and leaves room for others', async () => {
    const identify = ({ headers }: Request): ChatCaller => ({
      name: headers.get('x-name') ?? 'none',
      tenant: headers.get('x-tenant') ?? 'none',
    });
    const { handler, chats } = place({ identify, limits: { streams: 4, streamsPerCaller: 2 } });
    const open = (name: string, chat: string, tenant = 'shop'): Promise<Response> =>
      handler.handle(request({ body: { ...chatBody(), id: chat }, headers: { 'x-name': name, 'x-tenant': tenant } }));
    const opened = await Promise.all(['a', 'b', 'c', 'd'].map((chat) => open('ada', chat)));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(await errorOf(opened[2] as Response)).toMatchObject({
      code: 'TOO_MANY_STREAMS',
      message: 'You have 2 responses that stream already.',
      remedy: expect.stringContaining('Close'),
    });
    // Nothing was begun for what is refused.
    expect(chats.received.map(({ chatId }) => chatId)).toEqual(['a', 'b']);
    expect([(await open('bob', 'e')).status, (await open('ada', 'f', 'mill')).status]).toEqual([200, 200]);
    expect((await open('eve', 'g')).status).toBe(503);
    await opened[0]?.body?.cancel();
    expect((await open('ada', 'h')).status).toBe(200);
  });

  it('more than a hundred streams of one caller that it knows, and counts none where it knows no caller', async () => {
    const statuses = async (options: Parameters<typeof place>[0]): Promise<readonly number[]> => {
      const { handler } = place(options);
      const responses: Response[] = [];
      for (let at = 0; at < 101; at += 1)
        responses.push(await handler.handle(request({ body: { ...chatBody(), id: `c${at}` } })));
      return responses.slice(-2).map(({ status }) => status);
    };
    expect(await statuses({ identify: () => ({ name: 'ada' }) })).toEqual([200, 429]);
    expect(await statuses({})).toEqual([200, 200]);
  });

  it('no later request because of places that refused and failed requests held', async () => {
    const { handler, chats } = place({ limits: { streams: 1 } });
    chats.nextStart = { kind: 'busy' };
    expect((await handler.handle(request({ body: chatBody() }))).status).toBe(409);
    chats.nextStart = undefined;
    chats.failure = new Error('The disk is full.');
    expect((await handler.handle(request({ body: chatBody() }))).status).toBe(500);
    expect((await handler.handle(request({ path: '/api/chat/chat1/stream' }))).status).toBe(204);
    expect((await handler.handle(request({ body: chatBody() }))).status).toBe(200);
  });

  it('more streams than its limit, and accepts others again once one has ended', async () => {
    const { handler } = place({ limits: { streams: 1 } });
    const first = await handler.handle(request(asked));
    const second = await handler.handle(request({ body: chatBody('hi', { id: 'chat2' }) }));
    expect([second.status, (await errorOf(second)).code]).toEqual([503, 'NO_ROOM']);
    await first.body?.cancel();
    expect((await handler.handle(request({ body: chatBody('hi', { id: 'chat2' }) }))).status).toBe(200);
  });
});

describe('A handler of a chat page answers', () => {
  const allowed: Readonly<Record<string, Sent & { options?: Partial<ChatHandlerOptions>; facts?: RequestFacts }>> = {
    'the machine itself by IPv4': { headers: { host: '127.0.0.1:3000' }, facts: { peer: '127.0.0.1' } },
    'the machine itself by IPv6': { headers: { host: '[::1]:3000' }, facts: { peer: '::1' } },
    'the machine itself by an IPv4 address in IPv6': { facts: { peer: '::ffff:127.0.0.1' } },
    'a page of its own origin': { headers: { origin: 'http://localhost:3000' } },
    'a page of its own origin behind a proxy that terminates TLS': {
      options: open,
      headers: { ...hosted, origin: 'https://chat.example.com' },
      facts: { peer: '10.0.0.9' },
    },
    'a caller with the token': { options: { token }, headers: { authorization: `bearer ${token}` } },
    'a path that begins with a slash': { body: chatBody('/etc/hosts: what is it?') },
    'a command behind a space': { body: chatBody(' /model opus') },
  };
  it.each(Object.entries(allowed))('%s', async (_, { options, facts, ...sent }) => {
    const { handler } = place(options);
    expect((await handler.handle(request({ ...asked, ...sent }), facts)).status).toBe(200);
  });

  it('a page of an allowed origin, with the headers that its browser requires', async () => {
    const { handler } = place({ origins: ['https://app.example'], token });
    const headers = { origin: 'https://app.example' };
    const preflight = await handler.handle(request({ method: 'OPTIONS', headers }));
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'authorization, content-type',
    });
    const refused = await handler.handle(request({ ...asked, headers }));
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example']);
  });

  it.each([
    true,
    'ada',
    {},
    { name: '' },
    { name: 'ada', tenant: '' },
    { name: 'ada', tenant: null },
    { name: 'ada', tenant: 7 },
    { name: 'ada', tenant: 'half \ud83d' },
    { name: 'half \ude00' },
  ])('is refused when a sign-in returns anything but a caller: %j', async (caller) => {
    // @ts-expect-error: a program without types may return anything
    const { handler, chats, errors } = place({ identify: () => caller });
    const response = await handler.handle(request(asked));
    expect([response.status, chats.received]).toEqual([500, []]);
    expect(String(errors[0])).toContain('`identify` must return');
  });

  it('each caller under the name that the program gave them', async () => {
    const caller = { name: 'ada', tenant: 'engines' };
    const { handler, chats } = place({ identify: async () => caller });
    await handler.handle(request(asked));
    expect(chats.received).toMatchObject([{ caller }]);
  });
});

describe('The options of a handler', () => {
  const wrong: Readonly<Record<string, [Partial<ChatHandlerOptions>, RegExp]>> = {
    'for others need a sign-in': [{ hosts: ['chat.example.com'] }, /token/],
    'have a token that cannot be guessed': [{ token: 'short' }, /16 characters/],
    'have a token or a sign-in, not both': [{ token, identify: () => undefined }, /not both/],
    'name hosts, not addresses': [{ hosts: ['https://chat.example.com'], token }, /hosts/],
    'name origins, not pages': [{ origins: ['https://app.example/page'] }, /origins/],
    'allow no origin of everything': [{ origins: ['*'] }, /origins/],
    'have a base path without an end': [{ basePath: '/api/' }, /basePath/],
    'have limits that are some': [{ limits: { files: 0 } }, /files/],
    'have limits that exist': [{ limits: { fiels: 1 } as object }, /fiels/],
    'have a delay that is one': [{ stopUnreadAfterMs: -1 }, /stopUnreadAfterMs/],
  };
  it.each(Object.entries(wrong))('%s', (_, [options, message]) => {
    expect(() => place(options)).toThrow(TypeError);
    expect(() => place(options)).toThrow(message);
  });
});

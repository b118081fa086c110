import { describe, expect, it, vi } from 'vitest';
import { chatBody, place, request, type Place } from './chat-double.ts';

const resume = ({ handler }: Place, signal?: AbortSignal): Promise<Response> =>
  handler.handle(request({ path: '/api/chat/chat1/stream', ...(signal === undefined ? {} : { signal }) }));

const interrupts = ({ chats }: Place): number => chats.received.filter(({ call }) => call === 'interrupt').length;

describe('#66 A reader of a turn', () => {
  it('that goes away stops neither the turn nor the others', async () => {
    const here = place();
    const first = await here.handler.handle(request({ body: chatBody() }));
    const second = await resume(here);
    const turn = here.chats.turnOf('chat1');
    await first.body?.cancel();
    turn?.write('still here');
    turn?.end();
    expect(await second.text()).toBe('still here');
    expect([turn?.cancelled, interrupts(here)]).toEqual([1, 0]);
  });

  it('that goes away as the last leaves a turn that a page finds when it comes back', async () => {
    const here = place();
    const first = await here.handler.handle(request({ body: chatBody() }));
    await first.body?.cancel();
    here.chats.turnOf('chat1')?.write('meanwhile');
    const back = await resume(here);
    here.chats.turnOf('chat1')?.end();
    expect([await back.text(), interrupts(here)]).toEqual(['meanwhile', 0]);
  });

  it('gets a turn that has ended since the place that it names, in the address or as the last id', async () => {
    const here = place();
    await here.handler.handle(request({ body: chatBody() }));
    const ask = async (path: string, headers = {}): Promise<Response> =>
      await here.handler.handle(request({ path: `/api${path}`, headers }));
    const cursorOf = async (): Promise<string> =>
      ((await (await ask('/sessions/chat1/messages')).json()) as { readonly cursor: string }).cursor;
    const before = await cursorOf();
    here.chats.turnOf('chat1')?.write('meanwhile');
    here.chats.turnOf('chat1')?.end();
    const after = await cursorOf();
    const path = '/chat/chat1/stream';
    expect(await (await ask(`${path}?after=${before}`)).text()).toBe('meanwhile');
    expect(await (await ask(path, { 'last-event-id': before })).text()).toBe('meanwhile');
    const none = [await ask(path), await ask(`${path}?after=${after}`), await ask(path, { 'last-event-id': after })];
    expect(none.map(({ status }) => status)).toEqual([204, 204, 204]);
  });

  it('has gone away when its request aborts, also where the body is not cancelled', async () => {
    const here = place();
    const closing = new AbortController();
    await here.handler.handle(request({ body: chatBody(), signal: closing.signal }));
    closing.abort();
    await vi.waitFor(() => expect(here.chats.turnOf('chat1')?.cancelled).toBe(1));
  });

  it('has gone away when its request aborted before there was an answer', async () => {
    const here = place();
    const closing = new AbortController();
    const sending = request({ body: chatBody(), signal: closing.signal });
    const answering = here.handler.handle(sending);
    closing.abort();
    await answering;
    await vi.waitFor(() => expect(here.chats.turnOf('chat1')?.cancelled ?? 1).toBe(1));
  });

  it('reads no more than it asks for', async () => {
    const here = place();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(10));
        },
      },
      { highWaterMark: 0 },
    );
    here.chats.nextStart = { kind: 'accepted', stream: { headers: {}, body } };
    const response = await here.handler.handle(request({ body: chatBody() }));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(pulled).toBe(2);
    await reader?.cancel();
  });
});

describe('#66 A turn that is to stop when it is not read', () => {
  it('stops when its last reader has gone away and none has returned in time', async () => {
    vi.useFakeTimers();
    try {
      const here = place({ stopUnreadAfterMs: 1000 });
      const [first, second] = [await here.handler.handle(request({ body: chatBody() })), await resume(here)];
      await first.body?.cancel();
      await vi.advanceTimersByTimeAsync(5000);
      expect(interrupts(here)).toBe(0);
      await second.body?.cancel();
      await vi.advanceTimersByTimeAsync(999);
      const third = await resume(here);
      await vi.advanceTimersByTimeAsync(5000);
      expect(interrupts(here)).toBe(0);
      await third.body?.cancel();
      await vi.advanceTimersByTimeAsync(1000);
      expect(interrupts(here)).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not stopped when it has ended', async () => {
    vi.useFakeTimers();
    try {
      const here = place({ stopUnreadAfterMs: 1000 });
      const response = await here.handler.handle(request({ body: chatBody() }));
      here.chats.turnOf('chat1')?.end();
      await response.text();
      await vi.advanceTimersByTimeAsync(5000);
      expect(interrupts(here)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('belongs to its tenant: readers of the same id of another tenant do not count', async () => {
    vi.useFakeTimers();
    try {
      const here = place({
        stopUnreadAfterMs: 1000,
        identify: ({ headers }) => ({ name: 'x', tenant: headers.get('x-tenant') ?? undefined }),
      });
      const send = (tenant: string): Promise<Response> =>
        here.handler.handle(request({ body: chatBody('hi', { steer: true }), headers: { 'x-tenant': tenant } }));
      const [own] = [await send('a'), await send('b')];
      await own.body?.cancel();
      await vi.advanceTimersByTimeAsync(1000);
      expect(interrupts(here)).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

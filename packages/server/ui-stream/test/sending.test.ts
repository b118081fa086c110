import { HandClock } from '@hexagent/testing';
import { createReplayBuffer, sseStream, uiStreamHeaders, type UiChunk } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';

const start = { type: 'start', messageId: 'm' } as const;

async function* only(...chunks: readonly UiChunk[]): AsyncGenerator<UiChunk> {
  yield* chunks;
}

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

describe('sseStream', () => {
  it('sends each chunk as an event, and then `[DONE]`', async () => {
    expect(await textOf(sseStream(only(start, { type: 'text-delta', id: 'a', delta: 'é\n' })))).toBe(
      'data: {"type":"start","messageId":"m"}\n\ndata: {"type":"text-delta","id":"a","delta":"é\\n"}\n\ndata: [DONE]\n\n',
    );
  });

  it('names ids before the first chunk and at the end, for a client that connects again', async () => {
    const ids = { first: 'a', last: () => 'b' };
    expect(await textOf(sseStream(only(start), { ids }))).toBe(
      'id: a\n\ndata: {"type":"start","messageId":"m"}\n\nid: b\ndata: [DONE]\n\n',
    );
    expect(await textOf(sseStream(only(), { ids: { first: undefined, last: () => undefined } }))).toBe(
      'data: [DONE]\n\n',
    );
  });

  it('is the body of a response with these headers', () => {
    expect(uiStreamHeaders).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
    });
  });

  it('reads nothing ahead of its connection', async () => {
    let taken = 0;
    async function* counted(): AsyncGenerator<UiChunk> {
      for (;;) {
        taken += 1;
        yield start;
      }
    }
    const reader = sseStream(counted()).getReader();
    await reader.read();
    await reader.read();
    expect(taken).toBe(2);
    await reader.cancel();
  });

  it('ends the iteration when the connection is closed, also while it waits', async () => {
    const buffer = createReplayBuffer();
    const clock = new HandClock();
    const reader = sseStream(buffer.read(), { clock }).getReader();
    const waiting = reader.read();
    await reader.cancel();
    expect(await waiting).toMatchObject({ done: true });
    expect(buffer.readers).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it('sends a comment after each silence, and none to a connection that takes nothing', async () => {
    const buffer = createReplayBuffer();
    const clock = new HandClock();
    const reader = sseStream(buffer.read(), { clock }).getReader();
    const decode = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    const first = decode();
    await expect.poll(() => clock.waiting).toBe(1);
    clock.advance(15_000);
    expect(await first).toBe(': keep-alive\n\n');
    clock.advance(150_000);
    expect(await decode()).toBe(': keep-alive\n\n');
    const next = decode();
    buffer.push([start]);
    expect(await next).toContain('"start"');
    expect(clock.waiting).toBe(0);
    buffer.end();
    expect(await decode()).toContain('[DONE]');
    expect(clock.waiting).toBe(0);
  });

  it('reports to a page that the chunks broke off, and not why', async () => {
    async function* broken(): AsyncGenerator<UiChunk> {
      yield start;
      throw new Error('the password is 1234');
    }
    const sent = await textOf(sseStream(broken()));
    expect(sent).toMatch(/"type":"error","errorText":"The connection to the answer was lost\."/);
    expect(sent).not.toContain('1234');
    expect(sent.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

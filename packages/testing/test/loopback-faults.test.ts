import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  cut,
  deltas,
  errorEvent,
  gate,
  hang,
  reply,
  silent,
  slow,
  startLoopback,
  text,
} from '@hexagent/testing/loopback';
import { ask, eventsOf, parseEvents, textOf } from './loopback-client.ts';

describe('A stream', () => {
  it('waits at a gate until the test opens it, with everything before it delivered', async () => {
    const door = gate();
    await using loopback = await startLoopback([text(['before ', door, 'behind'])]);
    const { body } = await ask(loopback);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    await door.reached;
    let seen = '';
    while (!seen.includes('before')) seen += (await reader.read()).value;
    expect(seen).not.toContain('behind');
    door.open();
    for (let read = await reader.read(); !read.done; read = await reader.read()) seen += read.value;
    expect(textOf(parseEvents(seen))).toBe('before behind');
  });

  it('passes a gate that a promise opens, even one that is rejected', async () => {
    await using loopback = await startLoopback([
      text([gate(Promise.resolve()), gate(Promise.reject(new Error('mine'))), 'through']),
    ]);
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('through');
  });

  it('that hangs ends when the client disconnects, and the request reports that', async () => {
    const stuck = hang();
    await using loopback = await startLoopback([[text('almost'), stuck]]);
    const leaving = new AbortController();
    const response = await ask(loopback, {}, { signal: leaving.signal });
    await stuck.reached;
    leaving.abort();
    await expect(response.text()).rejects.toThrow('aborted');
    expect(await loopback.requests[0]?.ended).toBe('client-left');
  });

  it('may send no status line before its gate opens', async () => {
    const door = gate();
    await using loopback = await startLoopback([silent(door)]);
    let answered = false;
    const response = ask(loopback).then((value) => {
      answered = true;
      return value;
    });
    await door.reached;
    // A second, complete exchange on the same machine: had headers been sent, they would have arrived before it.
    loopback.add('quick');
    await eventsOf(await ask(loopback));
    expect(answered).toBe(false);
    door.open();
    expect((await eventsOf(await response)).at(-1)).toEqual({ type: 'message_stop' });
  });

  it('can delay the headers and then reply', async () => {
    const door = gate();
    await using loopback = await startLoopback([reply('late', { headersAfter: door })]);
    const response = ask(loopback);
    await door.reached;
    door.open();
    expect(textOf(await eventsOf(await response))).toBe('late');
  });

  it('that is cut delivers everything before the cut and then breaks', async () => {
    await using loopback = await startLoopback([text(['half a sen', cut()])]);
    const response = await ask(loopback);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const readAll = async (): Promise<void> => {
      for (let read = await reader.read(); !read.done; read = await reader.read()) seen += read.value;
    };
    await expect(readAll()).rejects.toThrow('terminated');
    expect(textOf(parseEvents(seen))).toBe('half a sen');
    expect(await loopback.requests[0]?.ended).toBe('cut');
  });

  it('can end with an error event in its middle', async () => {
    await using loopback = await startLoopback([text(['half', errorEvent('overloaded_error', 'Too much.')])]);
    const events = await eventsOf(await ask(loopback));
    expect(events.at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Too much.' } });
    expect(events.some((event) => event.type === 'message_stop')).toBe(false);
  });

  it('can be slow, in as many pieces as asked', async () => {
    await using loopback = await startLoopback([slow('abcdefgh', { chunks: 4, everyMs: 1 })]);
    const events = await eventsOf(await ask(loopback));
    expect(events.flatMap((event) => event.delta?.['text'] ?? [])).toEqual(['ab', 'cd', 'ef', 'gh']);
  });

  it('delivers many thousands of small deltas whole', async () => {
    await using loopback = await startLoopback([deltas(20_000, 'é')]);
    const events = await eventsOf(await ask(loopback));
    expect(textOf(events)).toBe('é'.repeat(20_000));
  });

  it('is created no faster than its client reads, so that 60 MB of text are never in memory at once', async () => {
    const piece = 'x'.repeat(10_000);
    let made = 0;
    function* pieces(): Generator<string> {
      for (; made < 60_000_000; made += piece.length) yield piece;
    }
    await using loopback = await startLoopback([text({ [Symbol.iterator]: pieces })]);
    const { response } = await slowClient(loopback.url);
    let read = 0;
    let ahead = 0;
    for await (const chunk of response) {
      read += chunk.length;
      ahead = Math.max(ahead, made - read);
      await new Promise((resolve) => setImmediate(resolve)); // others get their turn, the writer above all
    }
    expect(read).toBeGreaterThan(60_000_000);
    // What the two sockets and the kernel hold between them.
    expect(ahead).toBeLessThan(20_000_000);
  });
});

describe('Closing the loopback', () => {
  it('ends every stream, hanging ones too, and refuses new connections', async () => {
    const stuck = hang();
    const loopback = await startLoopback([stuck, silent(stuck)]);
    const first = await ask(loopback);
    const second = ask(loopback);
    await loopback.received(2);
    const broken = [expect(first.text()).rejects.toThrow('terminated'), expect(second).rejects.toThrow('fetch failed')];
    await loopback.close();
    await Promise.all(broken);
    expect(await Promise.all(loopback.requests.map((request) => request.ended))).toEqual(['closed', 'closed']);
    const late = connect(Number(new URL(loopback.url).port), '127.0.0.1');
    const [error] = await once(late, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('leaves no handle open', async () => {
    const open = (kind: string): number =>
      process.getActiveResourcesInfo().filter((each) => each.startsWith(kind)).length;
    await expect.poll(() => open('TCP')).toBe(0); // what the client of an earlier test still held
    const loopback = await startLoopback([hang()]);
    const idle = connect(Number(new URL(loopback.url).port), '127.0.0.1');
    await once(idle, 'connect');
    const closed = once(idle, 'close');
    await loopback.close();
    expect(open('TCPServer')).toBe(0);
    await closed;
    expect(open('TCP')).toBe(0);
  });

  it('does not wait for a function that never answers', async () => {
    const loopback = await startLoopback(() => new Promise(() => {}));
    const response = ask(loopback).catch((error: Error) => error.message);
    await loopback.received(1);
    await loopback.close();
    expect(await response).toBe('fetch failed');
  });

  it('can be done twice, and rejects pending received() calls', async () => {
    const loopback = await startLoopback();
    const waiting = loopback.received(1);
    const rejected = expect(waiting).rejects.toThrow('closed after 0 requests; request 1 never came');
    await Promise.all([loopback.close(), loopback.close()]);
    await rejected;
  });
});

/** A client that reads only on demand, which `fetch` does not. */
async function slowClient(url: string): Promise<{ response: AsyncIterable<Buffer> }> {
  const body = JSON.stringify({ model: 'model-x', stream: true, messages: [{ role: 'user', content: 'Much!' }] });
  const asking = request(`${url}/v1/messages`, { method: 'POST', agent: false });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [AsyncIterable<Buffer>]; // what this event carries
  return { response };
}

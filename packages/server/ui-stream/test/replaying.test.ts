import { HandClock } from '@hexagent/testing';
import { createReplayBuffer, type UiChunk } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';

const start = { type: 'text-start', id: 'a' } as const;
const end = { type: 'text-end', id: 'a' } as const;
const delta = (words: string, id = 'a'): UiChunk => ({ type: 'text-delta', id, delta: words });
const task = (status: string): UiChunk => ({ type: 'data-task', id: 't', data: { taskId: 't', status } });
const thought = (tokens: number): UiChunk => ({ type: 'data-thinking-tokens', data: { tokens }, transient: true });

async function all(chunks: AsyncIterable<UiChunk>): Promise<UiChunk[]> {
  const read: UiChunk[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return read;
}

/** What a reader has without waiting. */
async function ready(reader: AsyncIterator<UiChunk>, count: number): Promise<unknown[]> {
  const read: unknown[] = [];
  while (read.length < count) read.push((await reader.next()).value);
  return read;
}

describe('A replay buffer', () => {
  it('gives each chunk to a reader that keeps up', async () => {
    const buffer = createReplayBuffer();
    const reader = buffer.read();
    for (const chunk of [start, delta('a'), delta('b'), end]) {
      buffer.push([chunk]);
      expect((await reader.next()).value).toEqual(chunk);
    }
    buffer.end();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('gives the text so far as one delta to a late reader, and then what follows', async () => {
    const buffer = createReplayBuffer();
    buffer.push([start, delta('a'), delta('b'), delta('c')]);
    const reader = buffer.read();
    expect(await ready(reader, 2)).toEqual([start, delta('abc')]);
    buffer.push([delta('d'), end]);
    expect(await ready(reader, 2)).toEqual([delta('d'), end]);
  });

  it('loses nothing of a long text, wherever a reader stands', async () => {
    const buffer = createReplayBuffer();
    const words = Array.from({ length: 1000 }, (_, index) => `${index} `);
    const [fast, slow] = [buffer.read(), buffer.read()];
    const seen: UiChunk[][] = [[], []];
    buffer.push([start]);
    for (const [index, word] of words.entries()) {
      buffer.push([delta(word)]);
      seen[0]?.push(...((await ready(fast, index === 0 ? 2 : 1)) as UiChunk[]));
      if (index % 97 === 0) seen[1]?.push(...((await ready(slow, index === 0 ? 2 : 1)) as UiChunk[]));
    }
    buffer.push([end]);
    buffer.end();
    seen[0]?.push(...(await all(fast)));
    seen[1]?.push(...(await all(slow)));
    const textIn = (chunks: readonly UiChunk[] = []): string =>
      chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
    expect(textIn(seen[0])).toBe(words.join(''));
    expect(textIn(seen[1])).toBe(words.join(''));
    expect(await all(buffer.read())).toEqual([start, delta(words.join('')), end]);
  });

  it('keeps texts apart that stream at once', async () => {
    const buffer = createReplayBuffer();
    buffer.push([start, { type: 'reasoning-start', id: 'b' }, delta('a')]);
    buffer.push([{ type: 'reasoning-delta', id: 'b', delta: 'x' }, delta('b'), end]);
    buffer.push([{ type: 'reasoning-end', id: 'b' }]);
    buffer.end();
    expect(await all(buffer.read())).toEqual([
      start,
      { type: 'reasoning-start', id: 'b' },
      delta('ab'),
      end,
      { type: 'reasoning-delta', id: 'b', delta: 'x' },
      { type: 'reasoning-end', id: 'b' },
    ]);
  });

  it('leaves out the pieces of an input that is complete', async () => {
    const buffer = createReplayBuffer();
    const about = { toolCallId: 't', toolName: 'Bash', dynamic: true, providerExecuted: true } as const;
    const begin = { type: 'tool-input-start', ...about } as const;
    const complete = { type: 'tool-input-available', input: {}, ...about } as const;
    buffer.push([begin, { type: 'tool-input-delta', toolCallId: 't', inputTextDelta: '{}' }, complete]);
    buffer.end();
    expect(await all(buffer.read())).toEqual([begin, complete]);
  });

  it('keeps the newest of what is replaced, in the place of the first', async () => {
    const buffer = createReplayBuffer();
    const early = buffer.read();
    const preliminary = (output: string): UiChunk => ({
      type: 'tool-output-available',
      toolCallId: 'c',
      output,
      dynamic: true,
      preliminary: true,
    });
    buffer.push([task('running')]);
    expect(await ready(early, 1)).toEqual([task('running')]);
    buffer.push([
      thought(1),
      preliminary('1'),
      thought(2),
      preliminary('2'),
      task('paused'),
      thought(3),
      task('completed'),
    ]);
    buffer.end();
    expect(await all(early)).toEqual([preliminary('2'), thought(3), task('completed')]);
    expect(await all(buffer.read())).toEqual([task('completed'), preliminary('2'), thought(3), task('completed')]);
  });

  it('keeps its readers in place when it is rewritten without what was replaced', async () => {
    const buffer = createReplayBuffer();
    const readers = [0, 1, 2].map(() => buffer.read());
    buffer.push([start]);
    await readers[1]?.next();
    for (let tokens = 0; tokens < 2000; tokens += 1) {
      buffer.push([thought(tokens)]);
      if (tokens % 5 === 0) await readers[2]?.next();
    }
    buffer.push([end]);
    buffer.end();
    expect(await all(readers[0]!)).toEqual([start, thought(1999), end]);
    expect(await all(readers[1]!)).toEqual([thought(1999), end]);
    expect((await all(readers[2]!)).slice(-2)).toEqual([thought(1999), end]);
  });

  it('rejects with the failure, behind what there is', async () => {
    const buffer = createReplayBuffer();
    const reader = buffer.read();
    buffer.push([start]);
    buffer.fail(new Error('gone'));
    expect((await reader.next()).value).toBe(start);
    await expect(reader.next()).rejects.toThrow('gone');
    expect(await reader.next()).toMatchObject({ done: true });
  });

  it('rejects a reader whose signal aborts, and no other', async () => {
    const buffer = createReplayBuffer();
    const aborting = new AbortController();
    const [aborted, other] = [buffer.read({ signal: aborting.signal }), buffer.read()];
    const waiting = aborted.next();
    aborting.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(buffer.readers).toBe(1);
    buffer.push([start]);
    expect((await other.next()).value).toBe(start);
    await expect(buffer.read({ signal: AbortSignal.abort() }).next()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('releases a reader that leaves its loop, also one that waits', async () => {
    const buffer = createReplayBuffer();
    buffer.push([start]);
    for await (const _ of buffer.read()) break;
    expect(buffer.readers).toBe(0);
    const reader = buffer.read();
    await reader.next();
    const waiting = reader.next();
    await reader.return?.();
    expect(await waiting).toMatchObject({ done: true });
    expect(buffer.readers).toBe(0);
  });

  it('with a clock, gives a reader that waits all that came within some milliseconds at once', async () => {
    const clock = new HandClock();
    const buffer = createReplayBuffer({ clock });
    const readers = [buffer.read(), buffer.read()];
    buffer.push([start]);
    expect(await Promise.all(readers.map((reader) => ready(reader, 1)))).toEqual([[start], [start]]);
    const waiting = readers.map((reader) => reader.next());
    buffer.push([delta('a')]);
    buffer.push([delta('b')]);
    expect(clock.waiting).toBe(1);
    clock.advance(5);
    const [one, other] = await Promise.all(waiting);
    expect([one?.value, other?.value]).toEqual([delta('ab'), delta('ab')]);
    const last = readers.map((reader) => reader.next());
    buffer.push([end]);
    buffer.end();
    expect(await Promise.all(last)).toMatchObject([{ value: end }, { value: end }]);
    expect(clock.waiting).toBe(0);
  });

  it('takes nothing once it has ended', async () => {
    const buffer = createReplayBuffer();
    expect(buffer.push([start])).toBe(true);
    buffer.end();
    buffer.fail(new Error('late'));
    expect(buffer.push([end])).toBe(false);
    expect(await all(buffer.read())).toEqual([start]);
  });
});

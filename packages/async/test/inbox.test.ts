import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Inbox } from '@hexagent/async';

const done = { done: true, value: undefined };

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

/** What a fixture prints. */
async function megabytesOf(fixture: string): Promise<number> {
  const program = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
  return Number(stdout);
}

describe('An inbox', () => {
  it('delivers what was pushed before the first read, in order', async () => {
    const inbox = new Inbox<number>();
    for (const value of [1, 2, 3]) inbox.push(value);
    inbox.end();
    expect(await collect(inbox)).toEqual([1, 2, 3]);
  });

  it('delivers to readers that wait, each value once', async () => {
    const inbox = new Inbox<number>();
    const waiting = [inbox.next(), inbox.next()];
    inbox.push(1);
    inbox.push(2);
    expect(await Promise.all(waiting)).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
    ]);
  });

  it('gives all that is unread at once', async () => {
    const inbox = new Inbox<number>({ restore: Number });
    for (const value of [1, 2, 3]) inbox.push(value, 1);
    inbox.push(4, 1, '4');
    await inbox.next();
    expect(inbox.drain()).toEqual([2, 3, 4]);
    expect(inbox.size).toBe(0);
    inbox.end();
    expect(await collect(inbox)).toEqual([]);
  });

  it('drops on request what is unread, by its value, and what is stored as text', async () => {
    const inbox = new Inbox<number>({ restore: Number });
    for (const value of [1, 2, 3, 4]) inbox.push(value, value);
    inbox.push(6, 10, '6');
    await inbox.next();
    expect(inbox.retain((value) => value % 2 === 0)).toBe(13);
    expect(inbox.size).toBe(6);
    inbox.push(5, 5);
    inbox.end();
    expect(await collect(inbox)).toEqual([2, 4, 5]);
  });

  it('#9 delivers what was pushed just before it ended', async () => {
    const inbox = new Inbox<number>();
    inbox.push(1);
    inbox.end({ error: new Error('later') });
    expect(await inbox.next()).toEqual({ done: false, value: 1 });
    await expect(inbox.next()).rejects.toThrow('later');
  });

  it('rejects once with an error and is done afterwards', async () => {
    const inbox = new Inbox<number>();
    inbox.end({ error: new Error('once') });
    await expect(inbox.next()).rejects.toThrow('once');
    expect(await inbox.next()).toEqual(done);
  });

  it('rejects a reader that waits when it ends with an error, and finishes the others', async () => {
    const inbox = new Inbox<number>();
    const waiting = [inbox.next(), inbox.next()];
    inbox.end({ error: new Error('gone') });
    await expect(waiting[0]).rejects.toThrow('gone');
    expect(await waiting[1]).toEqual(done);
  });

  it('keeps the first ending', async () => {
    const inbox = new Inbox<number>();
    inbox.end();
    inbox.end({ error: new Error('second') });
    expect(await inbox.next()).toEqual(done);
  });

  it('refuses values after its end', async () => {
    const inbox = new Inbox<number>();
    inbox.end();
    expect(inbox.push(1)).toBe(false);
    expect(await inbox.next()).toEqual(done);
  });

  it('ends a pending read when the reader leaves', async () => {
    const inbox = new Inbox<number>();
    const waiting = inbox.next();
    await inbox.return();
    expect(await waiting).toEqual(done);
    expect(inbox.push(1)).toBe(false);
  });

  it('notifies its owner once that the reader left, even before the first value', async () => {
    let left = 0;
    const inbox = new Inbox<number>({ onReturn: () => (left += 1) });
    await inbox.return();
    await inbox.return();
    expect(left).toBe(1);
  });

  it('reports the size of what is unread, and of each value that leaves', async () => {
    const taken: number[] = [];
    const inbox = new Inbox<string>({ onTaken: (size) => taken.push(size) });
    const waiting = inbox.next();
    inbox.push('at once', 7);
    await waiting;
    inbox.push('a', 10);
    inbox.push('b', 20);
    expect(inbox.size).toBe(30);
    await inbox.next();
    expect(inbox.size).toBe(20);
    await inbox.return();
    expect(inbox.size).toBe(0);
    expect(taken).toEqual([7, 10, 20]);
  });

  it('rebuilds a value from its text when it had to wait, and delivers the value itself to a pending read', async () => {
    const texts: string[] = [];
    const inbox = new Inbox<object>({ restore: (text) => (texts.push(text), { restored: text }) });
    const value = { restored: 'never' };
    const waiting = inbox.next();
    inbox.push(value, 1, 'at once');
    expect((await waiting).value).toBe(value);
    inbox.push(value, 1, 'later');
    inbox.push(value, 1);
    inbox.push(value, 1, '');
    inbox.end();
    expect([texts, inbox.size]).toEqual([[], 3]);
    expect(await collect(inbox)).toEqual([{ restored: 'later' }, value, { restored: '' }]);
    expect(texts).toEqual(['later', '']);
  });

  it('keeps a text alive without the longer text that it was cut out of', async () => {
    // A hundred texts, each cut out of a megabyte.
    expect(await megabytesOf('kept-texts.ts')).toBeLessThan(50);
  });

  it('keeps nothing alive that was read', async () => {
    // A hundred values of nearly a megabyte.
    expect(await megabytesOf('read-values.ts')).toBeLessThan(20);
  });

  it('drops what is unread on discard(), and stays open', async () => {
    const inbox = new Inbox<number>();
    inbox.push(1, 5);
    expect(inbox.discard()).toBe(5);
    inbox.push(2);
    expect(await inbox.next()).toEqual({ done: false, value: 2 });
  });

  it('delivers in order when a slow reader never catches up', async () => {
    const inbox = new Inbox<number>();
    let next = 0;
    const seen: number[] = [];
    for (let round = 0; round < 5000; round += 1) {
      inbox.push(next++);
      inbox.push(next++);
      seen.push((await inbox.next()).value ?? -1);
    }
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => index));
  });
});

import { describe, expect, it } from 'vitest';
import { LineRing } from '../src/line-ring.ts';

function ringOf(most: number, ...texts: readonly string[]): LineRing {
  const ring = new LineRing(most);
  for (const text of texts) ring.write(text);
  return ring;
}

const never = new AbortController().signal;

describe('LineRing', () => {
  it('returns what follows a place, also in the middle of what was written together', () => {
    const ring = ringOf(1000, 'a\nb\n', 'c\n', 'd\ne\nf\n');
    expect(ring.after(0)).toEqual({ text: 'a\nb\nc\nd\ne\nf\n', next: 6, dropped: 0 });
    expect(ring.after(1)).toEqual({ text: 'b\nc\nd\ne\nf\n', next: 6, dropped: 0 });
    expect(ring.after(4)).toEqual({ text: 'e\nf\n', next: 6, dropped: 0 });
    expect(ring.after(6)).toEqual({ text: '', next: 6, dropped: 0 });
  });

  it('gives up the oldest lines above its bound, and reports how many a reader has missed', () => {
    const ring = ringOf(8, '1111\n', '2222\n', '3\n4\n');
    expect(ring.after(0)).toEqual({ text: '3\n4\n', next: 4, dropped: 2 });
    expect(ring.after(1)).toEqual({ text: '3\n4\n', next: 4, dropped: 1 });
    expect(ring.after(3)).toEqual({ text: '4\n', next: 4, dropped: 0 });
  });

  it('keeps the latest text, however long it is', () => {
    expect(ringOf(4, 'short\n', `${'x'.repeat(100)}\n`).after(1).text).toHaveLength(101);
  });

  it('stays within its bound and right about places over many lines', () => {
    const ring = new LineRing(10_000);
    for (let line = 0; line < 50_000; line += 1) ring.write(`${line}\n`);
    const { text, next, dropped } = ring.after(0);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect([text.split('\n')[0], next]).toEqual([String(dropped), 50_000]);
    expect(ring.after(49_998).text).toBe('49998\n49999\n');
  });

  it('starts from the end for a reader that is ahead, as after a restart of the program', () => {
    expect(ringOf(100, 'a\n').after(7)).toEqual({ text: '', next: 1, dropped: 0 });
  });

  it('wakes a reader with the next line, at once where there is one, and when it is aborted', async () => {
    const ring = ringOf(100, 'a\n');
    await ring.changed(0, never);
    const woken = ring.changed(1, never);
    ring.write('b\n');
    await woken;
    const abort = new AbortController();
    const aborted = ring.changed(2, abort.signal);
    abort.abort();
    await aborted;
    await ring.changed(2, abort.signal);
  });
});

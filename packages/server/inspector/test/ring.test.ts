import { describe, expect, it } from 'vitest';
import { seededRandom } from '@hexagent/testing';
import { LineRing } from '../src/line-ring.ts';

function write(ring: LineRing, text: string): void {
  ring.write({ count: text.split('\n').length - 1, content: text, toText: (content) => content });
}

function ringOf(most: number, ...texts: readonly string[]): LineRing {
  const ring = new LineRing(most);
  for (const text of texts) write(ring, text);
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

  it('gives up the oldest lines where there is no room, and reports how many a reader has missed', () => {
    // Each piece takes 64 bytes.
    const ring = ringOf(150, '1\n', '2\n', '3\n4\n');
    expect(ring.after(0)).toEqual({ text: '2\n3\n4\n', next: 4, dropped: 1 });
    expect(ring.after(1)).toEqual({ text: '2\n3\n4\n', next: 4, dropped: 0 });
    expect(ring.after(3)).toEqual({ text: '4\n', next: 4, dropped: 0 });
  });

  it('gives all up for a text that has no room at all, and continues after it', () => {
    const ring = ringOf(150, '1\n', `${'x'.repeat(100)}\n`);
    expect(ring.after(0)).toEqual({ text: '', next: 2, dropped: 2 });
    write(ring, '3\n');
    expect(ring.after(0)).toEqual({ text: '3\n', next: 3, dropped: 2 });
  });

  it.each([1, 2, 3, 4, 5])('has exactly the latest lines, whatever their lengths (%i)', (seed) => {
    const random = seededRandom(seed);
    const ring = new LineRing(5000);
    const lines: string[] = [];
    for (let count = 0; count < 2000; count += 1) {
      const line = `${count} ${'é'.repeat(Math.floor(random() ** 4 * 1500))}\n`;
      lines.push(line);
      write(ring, line);
      const { text, next, dropped } = ring.after(0);
      expect(next).toBe(lines.length);
      expect(text).toBe(lines.slice(dropped).join(''));
      expect(lines.length - dropped).toBeLessThanOrEqual(5000 / 64);
    }
  });

  it('makes the text of what is read, and of nothing else', () => {
    const ring = new LineRing(1000);
    const made: string[] = [];
    for (const content of ['a', 'b', 'c'])
      ring.write({ count: 1, content, toText: (text) => (made.push(text), `${text}\n`) });
    expect(made).toEqual([]);
    expect(ring.after(2).text).toBe('c\n');
    expect(made).toEqual(['c']);
  });

  it('starts from the end for a reader that is ahead, as after a restart of the program', () => {
    expect(ringOf(100, 'a\n').after(7)).toEqual({ text: '', next: 1, dropped: 0 });
  });

  it('wakes a reader with the next line, at once where there is one, and when it is aborted', async () => {
    const ring = ringOf(100, 'a\n');
    await ring.changed(0, never);
    const woken = ring.changed(1, never);
    write(ring, 'b\n');
    await woken;
    const abort = new AbortController();
    const aborted = ring.changed(2, abort.signal);
    abort.abort();
    await aborted;
    await ring.changed(2, abort.signal);
  });
});

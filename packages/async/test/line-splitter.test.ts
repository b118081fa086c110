import { describe, expect, it } from 'vitest';
import { LineSplitter } from '@hexagent/async';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('A line splitter', () => {
  it('returns the lines that a read completes and keeps the incomplete one', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(bytes('a\nb\nc'))).toEqual(['a', 'b']);
    expect(splitter.remainder()).toBe('c');
    expect(splitter.push(bytes('d\n'))).toEqual(['cd']);
    expect(splitter.remainder()).toBe('');
  });

  it('#33 keeps characters and white space whole wherever the bytes are cut', () => {
    const text = 'héllo 👩‍👩‍👧 \u2028 wörld  \n  zweite\tZeile \n\n€\n';
    const whole = bytes(text);
    for (let cut = 1; cut < whole.length; cut += 1) {
      const splitter = new LineSplitter();
      const lines = [...splitter.push(whole.subarray(0, cut)), ...splitter.push(whole.subarray(cut))];
      expect(lines).toEqual(['héllo 👩‍👩‍👧 \u2028 wörld  ', '  zweite\tZeile ', '', '€']);
    }
  });

  it('#33 keeps characters whole when every byte comes alone', () => {
    const splitter = new LineSplitter();
    const lines = [...bytes('é€👩\r\n\n€')].flatMap((byte) => splitter.push(Uint8Array.of(byte)));
    expect(lines).toEqual(['é€👩', '']);
    expect(splitter.remainder()).toBe('€');
  });

  it('replaces bytes that are not UTF-8, wherever they are cut', () => {
    const broken = Uint8Array.of(0x61, 0xe2, 0x82, 0x62, 0xff, 0x80, 0xf0, 0x9f, 0x0a);
    for (let cut = 1; cut < broken.length; cut += 1) {
      const splitter = new LineSplitter();
      expect([...splitter.push(broken.subarray(0, cut)), ...splitter.push(broken.subarray(cut))]).toEqual([
        new TextDecoder().decode(broken.subarray(0, -1)),
      ]);
    }
  });

  it('accepts lines that end with a carriage return', () => {
    expect(new LineSplitter().push(bytes('a\r\nb\n'))).toEqual(['a', 'b']);
  });

  it('#31 puts a 64 MB line together from its pieces, untouched', () => {
    const splitter = new LineSplitter();
    const piece = new Uint8Array(64 * 1024).fill(0x78);
    for (let count = 0; count < 1024; count += 1) expect(splitter.push(piece)).toEqual([]);
    const [line] = splitter.push(bytes('\n'));
    expect(line?.length).toBe(64 * 1024 * 1024);
  });

  it('#33 keeps lines whole wherever the bytes are cut, also several times', () => {
    const text = 'a\r\n\r\n\n👩‍👩‍👧\r\nlonger than the others, by far\nb\n';
    const whole = bytes(text);
    for (let size = 1; size <= whole.length; size += 1) {
      const splitter = new LineSplitter();
      const lines: string[] = [];
      for (let at = 0; at < whole.length; at += size) lines.push(...splitter.push(whole.subarray(at, at + size)));
      expect(lines).toEqual(['a', '', '', '👩‍👩‍👧', 'longer than the others, by far', 'b']);
      expect(splitter.remainder()).toBe('');
    }
  });

  it('joins the pieces of a line whatever their sizes', () => {
    const line = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(0x61 + (at % 26))).join('');
    const whole = bytes(`${line}\n`);
    for (let seed = 0; seed < 50; seed += 1) {
      const splitter = new LineSplitter();
      const lines: string[] = [];
      for (let at = 0, size = 1; at < whole.length; at += size) {
        size = 1 + ((at * 7919 + seed * 104_729) % (seed % 2 === 0 ? 5000 : 100_000));
        lines.push(...splitter.push(whole.subarray(at, at + size)));
      }
      expect(lines[0] === line && lines.length === 1).toBe(true);
    }
  });

  it('keeps a byte order mark, which the parser removes', () => {
    expect(new LineSplitter().push(bytes('\uFEFF{}\n'))).toEqual(['\uFEFF{}']);
  });
});

describe('A line splitter with a cap', () => {
  it('returns a line of just that length, and none that is longer', () => {
    const splitter = new LineSplitter({ maxLineBytes: 5 });
    expect(splitter.push(bytes('12345\n'))).toEqual(['12345']);
    expect(splitter.isTooLong).toBe(false);
    expect(splitter.push(bytes('123456\n'))).toEqual([]);
    expect(splitter.isTooLong).toBe(true);
  });

  it('returns the lines before a line that is too long, and none after it', () => {
    const splitter = new LineSplitter({ maxLineBytes: 3 });
    expect(splitter.push(bytes('a\nbb\ncccc\nd\n'))).toEqual(['a', 'bb']);
    expect(splitter.push(bytes('e\n'))).toEqual([]);
    expect([splitter.isTooLong, splitter.remainder()]).toEqual([true, '']);
  });

  it('counts bytes, not characters, and not the line’s end', () => {
    const splitter = new LineSplitter({ maxLineBytes: 6 });
    expect(splitter.push(bytes('€€\n'))).toEqual(['€€']);
    splitter.push(bytes('€€a\n'));
    expect(splitter.isTooLong).toBe(true);
  });

  it('does not wait for the end of a line that is too long already', () => {
    const splitter = new LineSplitter({ maxLineBytes: 5 });
    splitter.push(bytes('123'));
    splitter.push(bytes('45'));
    expect([splitter.isTooLong, splitter.remainder()]).toEqual([false, '12345']);
    splitter.push(bytes('6'));
    expect([splitter.isTooLong, splitter.remainder()]).toEqual([true, '']);
  });

  it('finds the same lines wherever the bytes are cut', () => {
    const whole = bytes('a\n12345\n\nbb\n123456\nc\n');
    for (let size = 1; size <= whole.length; size += 1) {
      const splitter = new LineSplitter({ maxLineBytes: 5 });
      const lines: string[] = [];
      for (let at = 0; at < whole.length; at += size) lines.push(...splitter.push(whole.subarray(at, at + size)));
      expect([lines, splitter.isTooLong]).toEqual([['a', '12345', '', 'bb'], true]);
    }
  });
});

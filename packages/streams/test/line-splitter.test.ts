import { describe, expect, it } from 'vitest';
import { LineSplitter } from '@hexagent/streams';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('A line splitter', () => {
  it('returns the lines that a read completed and keeps the rest', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(bytes('a\nb\nc'))).toEqual(['a', 'b']);
    expect(splitter.rest()).toBe('c');
    expect(splitter.push(bytes('d\n'))).toEqual(['cd']);
    expect(splitter.rest()).toBe('');
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
    expect(splitter.rest()).toBe('€');
  });

  it('replaces what is no character, wherever the bytes are cut', () => {
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

  it('keeps a byte order mark, which is the wire’s business', () => {
    expect(new LineSplitter().push(bytes('\uFEFF{}\n'))).toEqual(['\uFEFF{}']);
  });
});

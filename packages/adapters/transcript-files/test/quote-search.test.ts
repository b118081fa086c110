import { seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { longestSearched, quoteSearch } from '../src/quote-search.ts';

const [quote, backslash, letter] = [0x22, 0x5c, 0x61];

function found() {
  const search = quoteSearch();
  if (search === undefined) throw new Error('This system has no WebAssembly.');
  return search;
}

function plainFind(bytes: Buffer, start: number, end: number): number {
  for (let index = start; index < end; index += bytes[index] === backslash ? 2 : 1)
    if (bytes[index] === quote) return index;
  return -1;
}

describe('The search for the end of a string', () => {
  it('finds what a loop finds, of any bytes, from any place to any other', () => {
    const { bytes, find } = found();
    const random = seededRandom(1);
    const below = (limit: number): number => Math.floor(random() * limit);
    const wrong: unknown[] = [];
    for (let round = 0; round < 20_000; round += 1) {
      const start = below(4096);
      const end = start + below(80);
      // Also behind the end, where a longer line was.
      for (let index = start; index < end + 20; index += 1)
        bytes[index] = below(20) === 0 ? quote : below(4) === 0 ? backslash : letter;
      if (find(start, end) !== plainFind(bytes, start, end)) wrong.push(bytes.toString('latin1', start, end));
    }
    expect(wrong).toEqual([]);
  });

  it('finds a quote as the last byte of the longest line, and none behind it', () => {
    const { bytes, find } = found();
    bytes.fill(letter, 0, longestSearched);
    expect(find(0, longestSearched)).toBe(-1);
    bytes[longestSearched - 1] = quote;
    expect(find(0, longestSearched)).toBe(longestSearched - 1);
    expect(find(0, longestSearched - 1)).toBe(-1);
    expect(find(longestSearched, longestSearched)).toBe(-1);
  });

  it('is one memory for all', () => {
    expect(quoteSearch()).toBe(quoteSearch());
  });
});

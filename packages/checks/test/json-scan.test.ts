import { describe, expect, it } from 'vitest';
import { JsonScan } from '../src/index.ts';

const scanned = (text: string, limits = { values: 5, depth: 3 }): string | undefined => {
  const scan = new JsonScan(limits);
  // byte by byte, as a slow sender would
  return [...new TextEncoder().encode(text)].map((byte) => scan.add(Uint8Array.of(byte))).find(Boolean);
};

describe('JsonScan', () => {
  it.each(['[1,2,3,4]', '[[[1]]]', '{"a":{"b":1}}', '"[[[[,,,,,,"', String.raw`["\"[[[[,,,,,"]`, '[[]]]]]][[]'])(
    'lets %s pass',
    (text) => expect(scanned(text)).toBeUndefined(),
  );

  it.each([
    ['[1,2,3,4,5,6]', 'values'],
    ['{"a":1,"b":2,"c":3}', 'values'],
    ['[[[[', 'depth'],
    [String.raw`["\\",[[[`, 'depth'],
  ])('stops %s for its %s', (text, passed) => expect(scanned(text)).toBe(passed));
});

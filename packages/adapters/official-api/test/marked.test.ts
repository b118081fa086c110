import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const source = readFileSync(new URL('../src/types/options.ts', import.meta.url), 'utf8');

/** What an editor shows of each option. */
const shown = new Map(
  [...source.matchAll(/\/\*\* (?<text>.*) \*\/\n {2}(?<option>\w+)\?:/g)].map(({ groups = {} }) => [
    groups['option'],
    groups['text'] ?? '',
  ]),
);

describe('The types of the options', () => {
  it('have words for each of them', () => {
    expect(shown.size).toBe([...source.matchAll(/^ {2}\w+\?:/gm)].length);
  });

  it('mark none as not supported', () => {
    expect([...shown].filter(([, text]) => text.startsWith('Not supported yet'))).toEqual([]);
  });
});

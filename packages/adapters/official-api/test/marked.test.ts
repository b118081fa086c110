import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionsWithoutEffect, unsupportedOptions } from '../src/unsupported.ts';

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

  it.each(unsupportedOptions)('mark what is not supported yet: %s', (option) => {
    expect(shown.get(option)).toMatch(/^Not supported yet: .*refused by name\./);
  });

  it.each(optionsWithoutEffect)('mark what changes nothing: %s', (option) => {
    expect(shown.get(option)).toMatch(/without effect/i);
  });

  it('mark nothing else', () => {
    const marked = [...shown].filter(([, text]) => text.startsWith('Not supported yet')).map(([option]) => option);
    expect(marked.toSorted()).toEqual([...unsupportedOptions].toSorted());
  });
});

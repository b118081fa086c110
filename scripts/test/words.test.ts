import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { strangeIn, textsOf, textsOfCode } from './words.ts';

describe('The words of comments, titles and pages', () => {
  const texts = textsOf(root);

  it('are plain', () => {
    expect(texts.length).toBeGreaterThan(10_000);
    expect(strangeIn(texts)).toEqual([]);
  });
});

describe('The guard over words', () => {
  const found = (code: string): readonly string[] => strangeIn(textsOfCode('planted.ts', code));

  it('sees a turn of phrase in a comment and in a title', () => {
    const planted = [
      '// Nobody reads it.',
      '/** What is no frame is skipped. */',
      ' * A time that is none.',
      "it('fails as officially', () => {});",
      "] as const)('refuses what is too long: %s', () => {});",
      'const end = 1; // the loop goes on',
      "  async 'refuses what is too long'(store) {",
      "  'shows it to nobody': async (fixture) => {",
      "  'a loop that is going on': { count: 1 },",
    ];
    for (const line of planted) expect(found(line)).toEqual([expect.stringContaining('planted.ts:1 ')]);
  });

  it('leaves code, texts of errors and names in backquotes alone', () => {
    const fine = ["throw new Error('There is nobody to ask.');", 'const nobody = 1;', '/** Takes `nobody`. */'];
    expect(fine.flatMap(found)).toEqual([]);
  });
});

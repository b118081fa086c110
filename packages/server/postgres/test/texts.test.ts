import { describe, expect, it } from 'vitest';
import { restored, stored } from '../src/texts.ts';

const odd = [
  '',
  'chat 1',
  'é 😀',
  'it\'s "quoted" \\ \\u0000',
  '\0',
  '\u0007\n\u2028',
  '\ud83d',
  '\ude00',
  '\ufffd',
  '\\ud83d',
];

describe('A name', () => {
  it.each(odd)('is restored as it was: %j', (name) => {
    expect(restored(stored(name))).toBe(name);
  });

  it('is stored as another text than every other name', () => {
    expect(new Set(odd.map(stored)).size).toBe(odd.length);
  });

  it('is stored without what PostgreSQL refuses, and otherwise as it is', () => {
    for (const name of odd) expect(stored(name)).toMatch(/^[^\0\p{Surrogate}]*$/u);
    expect(stored('chat 1 / é 😀')).toBe('chat 1 / é 😀');
  });
});

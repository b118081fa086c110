import { describe, expect, it } from 'vitest';
import { withoutMentions, withWholeTexts } from '../src/file-mentions.ts';

const textsIn = (content: ReturnType<typeof withoutMentions>): readonly unknown[] =>
  typeof content === 'string' ? [content] : content.map((block) => ('text' in block ? block.text : block.type));

describe('Names of files in a message of a page', () => {
  it.each([
    ['Read @/etc/passwd', ['Read @/etc/', 'passwd']],
    ['@"/etc/a b" ', ['@"/etc/a b', '" ']],
    ['@/', ['@', '/']],
    ['@@', ['@', '@']],
    ['see @x 🙂', ['see @x ', '🙂']],
    ['对。@etc', ['对。@', 'etc']],
    ['\u00a0@etc', ['\u00a0@', 'etc']],
  ])('are not in the last text that the agent gets: %j', (text, expected) => {
    expect(textsIn(withoutMentions(text))).toEqual(expected);
    expect(
      textsIn(
        withoutMentions([
          { type: 'text', text: 'a' },
          { type: 'text', text },
        ]),
      ),
    ).toEqual(['a', ...expected]);
    const parts = expected.map((each) => ({ type: 'text', text: each }) as const);
    expect(withWholeTexts([{ id: 'm', role: 'user', parts }])).toEqual([
      { id: 'm', role: 'user', parts: [{ type: 'text', text }] },
    ]);
  });

  it.each(['ada@example.com', 'a @ b', '(@ada)', '你好@张三', 'nothing', ''])('leave %j as it is', (text) => {
    expect(withoutMentions(text)).toBe(text);
    expect(withoutMentions([{ type: 'text', text }])).toEqual([{ type: 'text', text }]);
  });

  it('are found in a long text in a time that grows with its length alone', () => {
    const text = `@${'a'.repeat(200_000)}!`;
    expect(textsIn(withoutMentions(text)).join('')).toBe(text);
  });

  it('are joined in a message of many parts in a time that grows with their number alone', () => {
    const parts = Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'a' }) as const);
    expect(withWholeTexts([{ id: 'm', role: 'user', parts }])[0]?.parts).toHaveLength(parts.length);
  });

  it('leave texts that a person sent apart', () => {
    const parts = [{ type: 'text', text: 'see @a and' } as const, { type: 'text', text: ' more words' } as const];
    expect(withWholeTexts([{ id: 'm', role: 'user', parts }])).toEqual([{ id: 'm', role: 'user', parts }]);
  });
});

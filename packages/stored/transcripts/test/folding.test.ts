import type { SessionStoreEntry, SessionSummaryEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { foldSessionSummary } from '../src/index.ts';

const key = { projectKey: '-work', sessionId: 's' };
const user = (content: unknown, fields: object = {}): SessionStoreEntry => ({
  type: 'user',
  message: { role: 'user', content },
  ...fields,
});
const fold = (...entries: SessionStoreEntry[]): SessionSummaryEntry['data'] =>
  foldSessionSummary(undefined, key, entries).data;

describe('foldSessionSummary', () => {
  it('keeps where and when a session began, and the newest title, branch and prompt', () => {
    const data = fold(
      user('first', { cwd: '/a', timestamp: '2026-01-02T03:04:05.678Z', gitBranch: 'main' }),
      user('second', { cwd: '/b', timestamp: '2026-02-02T03:04:05.678Z', gitBranch: 'other' }),
      { type: 'custom-title', customTitle: 'Old' },
      { type: 'custom-title', customTitle: 'New' },
      { type: 'last-prompt', lastPrompt: 'second' },
    );
    expect(data).toEqual({
      isSidechain: false,
      createdAt: 1767323045678,
      cwd: '/a',
      firstPrompt: 'first',
      firstPromptLocked: true,
      gitBranch: 'other',
      customTitle: 'New',
      lastPrompt: 'second',
    });
  });

  it('takes the tag of a tag alone, and an empty one away', () => {
    expect(fold(user('a', { tag: 'of another' }), { type: 'tag', tag: 'mine' })['tag']).toBe('mine');
    expect(fold({ type: 'tag', tag: 'mine' }, { type: 'tag', tag: '' })).not.toHaveProperty('tag');
  });

  it.each<[string, SessionStoreEntry[], unknown]>([
    ['of blocks', [user([{ type: 'image' }, { type: 'text', text: ' two\nlines ' }])], 'two lines'],
    ['that is long', [user('x'.repeat(300))], `${'x'.repeat(200)}…`],
    ['typed for the shell', [user('<bash-input>ls -l</bash-input>')], '! ls -l'],
    ['behind what a tool returned', [user([{ type: 'tool_result' }]), user('real')], 'real'],
    ['behind what the agent added', [user('x', { isMeta: true }), user('<system-reminder>x'), user('real')], 'real'],
    ['behind a summary', [user('x', { isCompactSummary: true }), user('real')], 'real'],
    ['behind an interruption', [user('[Request interrupted by user for tool use]'), user('real')], 'real'],
    ['behind a command', [user('<command-name>/clear</command-name>'), user('real')], 'real'],
    ['that looks like markup', [user('< 3')], '< 3'],
  ])('finds a first prompt %s', (_, entries, prompt) => {
    expect(fold(...entries)['firstPrompt']).toBe(prompt);
  });

  it('keeps the first command for a session without a prompt', () => {
    const names = ['/clear', '/compact'].map((name) => user(`<command-name>${name}</command-name>`));
    expect(fold(...names)).toMatchObject({ commandFallback: '/clear' });
    expect(fold(...names)).not.toHaveProperty('firstPrompt');
  });

  it('continues where it left off, and changes nothing that it is given', () => {
    const before = Object.freeze({ sessionId: 's', mtime: 5, data: Object.freeze({ cwd: '/a', mine: 1 }) });
    expect(foldSessionSummary(before, key, [user('a', { cwd: '/b' })])).toMatchObject({
      mtime: 5,
      data: { cwd: '/a', mine: 1, firstPrompt: 'a' },
    });
    expect(foldSessionSummary(before, key, [], { mtime: 9 }).mtime).toBe(9);
  });

  it('copes with malformed entries', () => {
    // Files hold anything.
    const odd = [null, 5, 'text', []] as unknown as SessionStoreEntry[];
    expect(fold(...odd)).toEqual({ isSidechain: false });
  });
});

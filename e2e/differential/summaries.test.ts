import { isDeepStrictEqual } from 'node:util';
import * as official from '@anthropic-ai/claude-agent-sdk';
import { foldSessionSummary } from '@hexagent/sdk/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { Chance } from '../support/chance.ts';

/** What texts of prompts are made of: everything that either package might look for. */
const pieces = [
  '<command-name>',
  '</command-name>',
  '<bash-input>',
  '</bash-input>',
  '<command-message>',
  '<command-args>',
  '<local-command-stdout>',
  '<system-reminder>\n',
  '[Request interrupted by user',
  ' for tool use',
  ']',
  '<foo>',
  '<a-b c',
  '<A>',
  '<1',
  '<é>',
  '<a/>',
  '<',
  '>',
  '/clear',
  'ls -l',
  'text',
  'é😀',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u2028',
  'x'.repeat(199),
  'y'.repeat(50),
];
const odd = [undefined, null, '', ' ', 5, 0, true, false, {}, [], 'text', '2026-01-02T03:04:05.678Z', '2026', 'nope'];
const fields = ['customTitle', 'aiTitle', 'lastPrompt', 'summary', 'gitBranch', 'cwd', 'tag', 'timestamp'];
const marks = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'toolUseResult', 'uuid'];
const known = ['summaryHint', 'createdAt', 'firstPrompt', 'firstPromptLocked', 'commandFallback', 'other', ...fields];
const types = ['user', 'user', 'user', 'assistant', 'tag', 'custom-title', 'attachment', 5, undefined];

/** Arguments of a call, of which the half would never be seen. */
function drawCall(seed: number): unknown[] {
  const chance = new Chance(seed);
  const below = (limit: number): number => chance.below(limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const text = (): string => Array.from({ length: below(6) }, () => pick(pieces)).join('');
  const some = (names: readonly string[], one: number): object =>
    Object.fromEntries(
      names.filter(() => below(one) === 0).map((name) => [name, pick([pick(odd), pick(odd), text()])]),
    );
  const block = (): unknown =>
    pick([
      { type: 'text', text: text() },
      { type: 'text', text: text() },
      { type: 'tool_result' },
      { type: 'text' },
      null,
    ]);
  const content = (): unknown => pick([text(), text(), Array.from({ length: below(4) }, block), pick(odd)]);
  const entry = (): object => ({
    type: pick(types),
    ...some([...fields, ...marks], 6),
    message: pick([{ content: content() }, { role: 'user', content: content() }, pick(odd)]),
  });
  const previous = below(2) === 0 ? undefined : { sessionId: pick(['s', 't']), mtime: below(3), data: some(known, 3) };
  const entries = Array.from({ length: below(4) }, entry);
  return [previous, { projectKey: 'p', sessionId: 'k' }, entries, pick([undefined, {}, { mtime: 7 }, { mtime: 0 }])];
}

describe('foldSessionSummary', () => {
  it('makes of any entries what the official one makes of them, over 60,000 draws', () => {
    const prompts = new Set<unknown>();
    const differences: string[] = [];
    for (let seed = 0; seed < 60_000; seed += 1) {
      // Half of them are nothing that a typed program could pass.
      const given = drawCall(seed) as Parameters<typeof official.foldSessionSummary>;
      const before = JSON.stringify(given);
      const ours = foldSessionSummary(...given);
      const theirs = official.foldSessionSummary(...given);
      if (!isDeepStrictEqual(ours, theirs)) differences.push(`${before}: ${JSON.stringify([ours, theirs])}`);
      if (JSON.stringify(given) !== before) differences.push(`${before} was changed`);
      prompts.add(ours.data['firstPrompt'] ?? ours.data['commandFallback']);
    }
    expect(differences).toEqual([]);
    // The draws are worth something.
    expect(prompts.size).toBeGreaterThan(5000);
  });
});

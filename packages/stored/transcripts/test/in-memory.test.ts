import { headOf } from '@hexagent/checks';
import type { TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { transcriptOf } from '../src/index.ts';

const userEntry: TranscriptEntry = { type: 'user', uuid: 'u', parentUuid: 'b' };
const boundary: TranscriptEntry = {
  type: 'system',
  subtype: 'compact_boundary',
  uuid: 'b',
  parentUuid: null,
  isMeta: false,
  compactMetadata: { preservedMessages: { anchorUuid: 's', uuids: ['a'] } },
};

describe('The head of an entry', () => {
  it('has what a compaction kept', () => {
    expect(headOf(boundary)).toMatchObject({
      isBoundary: true,
      parentUuid: undefined,
      isMeta: false,
      preserved: { anchorUuid: 's', uuids: ['a'] },
    });
  });

  it('is missing of what is not a part of a conversation', () => {
    const others = [null, [], 'user', { type: 'custom-title', uuid: 'x' }, { type: 'user', uuid: 7 }, { type: 'user' }];
    expect(others.map((other) => headOf(other))).toEqual(others.map(() => undefined));
  });

  it('leaves out what has another type than it should', () => {
    const odd = { type: 'user', uuid: 'u', parentUuid: {}, message: 'hello', isSidechain: 0, timestamp: 7 };
    expect(headOf(odd)).toMatchObject({
      parentUuid: undefined,
      messageId: undefined,
      toolUseIds: [],
      timestamp: undefined,
      isSidechain: false,
    });
  });
});

describe('A transcript in memory', () => {
  it('has an index of what may be part of the conversation, and the entries of that', async () => {
    const entries = [{ type: 'custom-title', customTitle: 'x' }, boundary, userEntry];
    const { heads, entriesOf } = await transcriptOf(entries).index();
    expect(heads).toEqual([boundary, userEntry].map((entry) => headOf(entry)));
    expect((await Array.fromAsync(entriesOf(heads.toReversed()))).flat().map(([, entry]) => entry)).toEqual([
      userEntry,
      boundary,
    ]);
  });
});

import { headOf, type TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { transcriptOf } from '../src/index.ts';

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
    expect(headOf(boundary, 3)).toMatchObject({
      place: 3,
      isBoundary: true,
      parentUuid: undefined,
      isMeta: false,
      preserved: { anchorUuid: 's', uuids: ['a'] },
    });
  });

  it('is missing of what is no part of a conversation', () => {
    const others = [null, [], 'user', { type: 'custom-title', uuid: 'x' }, { type: 'user', uuid: 7 }, { type: 'user' }];
    expect(others.map((other) => headOf(other, 0))).toEqual(others.map(() => undefined));
  });

  it('leaves out what has another type than it should', () => {
    const odd = { type: 'user', uuid: 'u', parentUuid: {}, message: 'hello', isSidechain: 0, timestamp: 7 };
    expect(headOf(odd, 0)).toMatchObject({
      parentUuid: undefined,
      messageId: undefined,
      toolUseIds: undefined,
      timestamp: undefined,
      isSidechain: false,
    });
  });
});

describe('A transcript in memory', () => {
  it('has heads of what may be part of the conversation, and the entries of each head', async () => {
    const said = { type: 'user', uuid: 'u', parentUuid: 'b' };
    const transcript = transcriptOf([{ type: 'custom-title', customTitle: 'x' }, boundary, said]);
    const heads = (await Array.fromAsync(transcript.heads())).flat();
    expect(heads.map(({ place, uuid }) => [place, uuid])).toEqual([
      [1, 'b'],
      [2, 'u'],
    ]);
    expect((await Array.fromAsync(transcript.entriesOf(heads.toReversed()))).flat()).toEqual([said, boundary]);
  });
});

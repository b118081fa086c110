import type { TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { headOf, transcriptOf } from '../src/index.ts';

const boundary: TranscriptEntry = {
  type: 'system',
  subtype: 'compact_boundary',
  uuid: 'b',
  parentUuid: null,
  isMeta: false,
  compactMetadata: { preservedMessages: { anchorUuid: 's', uuids: ['a', 7] } },
};

describe('The head of an entry', () => {
  it('has what a compaction kept', () => {
    expect(headOf(boundary, 3)).toMatchObject({
      place: 3,
      subtype: 'compact_boundary',
      parentUuid: undefined,
      isMeta: false,
      preserved: { anchorUuid: 's', uuids: ['a'] },
    });
  });

  it('leaves out what has another type than it should', () => {
    const odd = { type: 'user', uuid: 7, parentUuid: {}, message: 'hello', isSidechain: 'yes', compactMetadata: [] };
    expect(headOf(odd, 0)).toMatchObject({
      uuid: undefined,
      parentUuid: undefined,
      messageId: undefined,
      isSidechain: false,
      preserved: undefined,
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

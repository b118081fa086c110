import { describe, expect, it } from 'vitest';
import { storedTurns, transcriptOf } from '@hexagent/transcripts';
import { assistant, attachment, call, result, user, userEntry } from './entries.ts';

const begun = { turnOrigin: 'sdk' };
const turnsOf = async (...entries: readonly ReturnType<typeof user>[]) => await storedTurns(transcriptOf(entries));
const two = [
  user('a', null, begun),
  call('a1', 'a', 'm'),
  result('a2', 'a1'),
  assistant('a3', 'a2'),
  user('b', 'a3', begun),
];
const note = '[Request interrupted by user]';

describe('The turns of a stored conversation', () => {
  it('begin with a message and end with the last one before the next', async () => {
    expect((await turnsOf(...two, assistant('b1', 'b'))).turns).toEqual([
      { id: 'a', ids: ['a'], last: 'a3' },
      { id: 'b', ids: ['b'], last: 'b1' },
    ]);
  });

  it('contain notes of an interrupt, and messages that the agent took up while it worked', async () => {
    const queued = attachment('q', 'b', { type: 'queued_command', prompt: 'more', source_uuid: 'c' });
    expect((await turnsOf(...two, queued, userEntry('n', 'q', [{ type: 'text', text: note }]))).turns[1]).toEqual({
      id: 'b',
      ids: ['b', 'c'],
      last: 'n',
    });
  });

  it('end where a rewind has cut them, until something is written after that', async () => {
    const rewound = { type: 'last-prompt', leafUuid: 'a3', rewound: true };
    const cut = await turnsOf(...two, assistant('b1', 'b'), rewound);
    expect(cut.turns.map(({ id }) => id)).toEqual(['a']);
    expect(cut.messages.has('b')).toBe(true);
    const written = await turnsOf(...two, rewound, user('c', 'a3', begun));
    expect(written.turns.map(({ id }) => id)).toEqual(['a', 'c']);
    expect((await turnsOf(...two, { ...rewound, leafUuid: null })).turns).toEqual([]);
    expect((await turnsOf(...two, { ...rewound, rewound: undefined })).turns).toHaveLength(2);
  });

  it('of an older agent, which marks no message, begin with each that is not a result', async () => {
    const turns = await turnsOf(user('a', null), call('a1', 'a', 'm'), result('a2', 'a1'), user('b', 'a2'));
    expect(turns.turns.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are those of the branch that was written to last', async () => {
    const turns = await turnsOf(...two, user('c', 'a3', begun));
    expect(turns.turns.map(({ id }) => id)).toEqual(['a', 'c']);
  });
});

import { describe, expect, it } from 'vitest';
import { assistant, attachment, boundary, call, progress, result, summary, system, user } from './entries.ts';
import { uuidsOf } from './sessions.ts';

const four = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2')];
const parallel = [user('u', null), call('c1', 'u', 'm'), call('c2', 'c1', 'm'), result('r1', 'c1'), result('r2', 'c2')];

describe('A conversation', () => {
  it.each([
    ['is read from its first message to its last', four, 'u1 a1 u2 a2'],
    ['follows the branch that was written to last', [...four, assistant('b', 'u1')], 'u1 b'],
    ['begins where an entry is missing', four.slice(1), 'a1 u2 a2'],
    ['ends where its links lead in a circle', [user('u', 'v'), user('v', 'u'), assistant('a', 'v')], 'u v a'],
    ['has no end where everything is a circle', [user('u', 'v'), user('v', 'u')], ''],
    [
      'leaves out what is for the model alone',
      [user('u', null), user('m', 'u', { isMeta: true }), assistant('a', 'm')],
      'u a',
    ],
    [
      'leaves out the messages of a subagent',
      [user('u', null), assistant('s', 'u', { isSidechain: true }), user('v', 's')],
      'u v',
    ],
    [
      'does not end with a message of a subagent',
      [...four, assistant('s', 'u1', { isSidechain: true })],
      'u1 a1 u2 a2',
    ],
    ['does not end with a message of a teammate', [...four, assistant('t', 'u1', { teamName: 'x' })], 'u1 a1 u2 a2'],
    ['goes on behind reports of progress', [user('u', null), progress('p', 'u'), assistant('a', 'p')], 'u a'],
    [
      'goes on behind attachments',
      [user('u', null), attachment('x', 'u', { type: 'date' }), assistant('a', 'x')],
      'u a',
    ],
    ['ends on the branch of the last attachment', [...four, attachment('x', 'a1', { type: 'date' })], 'u1 a1'],
    ['leaves out messages of the system', [user('u', null), system('s', 'u'), assistant('a', 's')], 'u a'],
  ])('%s', async (_title, entries, uuids) => {
    expect(await uuidsOf(entries)).toBe(uuids);
  });

  it('has messages of the system where they are asked for', async () => {
    const entries = [user('u', null), system('s', 'u'), system('m', 's', { isMeta: true }), assistant('a', 'm')];
    expect(await uuidsOf(entries, { includeSystemMessages: true })).toBe('u s a');
  });

  it('has the part that is asked for', async () => {
    expect(await uuidsOf(four, { limit: 2, offset: 1 })).toBe('a1 u2');
    expect(await uuidsOf(four, { offset: 9 })).toBe('');
  });
});

describe('#43 Tools that were called at once', () => {
  it.each([
    ['are all there', [...parallel, assistant('z', 'r2')], 'u c1 c2 r1 r2 z'],
    ['are there when the answer hangs on another result', [...parallel, assistant('z', 'r1')], 'u c1 c2 r2 r1 z'],
    ['are there when the last entry is a result', parallel, 'u c1 c2 r1 r2'],
    [
      'are in the order of their results',
      [...parallel.slice(0, 3), result('r2', 'c2'), result('r1', 'c1'), assistant('z', 'r1')],
      'u c1 c2 r2 r1 z',
    ],
    [
      'are there when all blocks hang on the question',
      [user('u', null), call('c1', 'u', 'm'), call('c2', 'u', 'm'), result('r1', 'c1'), result('r2', 'c2')],
      'u c2 c1 r1 r2',
    ],
    [
      'are found by the call that a result names',
      [...parallel.slice(0, 3), result('r1', 'c1', { parentUuid: 'u' }), result('r2', 'c2')],
      'u c1 c2 r1 r2',
    ],
    [
      'do not bring along a result elsewhere of a call that has one',
      [...parallel, result('r3', 'c1', { parentUuid: 'gone' }), assistant('z', 'r2')],
      'u c1 c2 r1 r2 z',
    ],
    [
      'do not bring along what else hangs on them',
      [...parallel.slice(0, 3), user('other', 'c1'), result('r2', 'c2')],
      'u c1 c2 r2',
    ],
  ])('%s', async (_title, entries, uuids) => {
    expect(await uuidsOf(entries)).toBe(uuids);
  });
});

describe('#43 A compacted conversation', () => {
  const after = [user('u3', 'S'), assistant('a3', 'u3')];
  it.each([
    ['begins with the summary', [...four, boundary('B'), summary('S', 'B'), ...after], 'S u3 a3'],
    [
      'has what was kept behind the summary',
      [...four, boundary('B', 'S', ['u2', 'a2']), summary('S', 'B'), ...after],
      'S u2 a2 u3 a3',
    ],
    [
      'has what was kept although nothing came after it',
      [...four, boundary('B', 'S', ['a2']), summary('S', 'B')],
      'S a2',
    ],
    [
      'has nothing of what was kept if a part of that is missing',
      [...four, boundary('B', 'S', ['gone', 'a2']), summary('S', 'B'), ...after],
      'S u3 a3',
    ],
    [
      'has what was kept twice',
      [
        ...four,
        boundary('B', 'S', ['a2']),
        summary('S', 'B'),
        ...after,
        boundary('B2', 'S2', ['a2', 'u3', 'a3']),
        summary('S2', 'B2'),
        user('u4', 'S2'),
      ],
      'S2 a2 u3 a3 u4',
    ],
    ['is as it was while the summary is missing', [...four, boundary('B')], 'u1 a1 u2 a2'],
  ])('%s', async (_title, entries, uuids) => {
    expect(await uuidsOf(entries)).toBe(uuids);
  });

  it('has the boundary among the messages of the system', async () => {
    const entries = [...four, boundary('B'), summary('S', 'B')];
    expect(await uuidsOf(entries, { includeSystemMessages: true })).toBe('B S');
  });

  it('has what older agents kept, which they named from the first to the last', async () => {
    const preservedSegment = { anchorUuid: 'S', headUuid: 'u2', tailUuid: 'a2' };
    const old = { ...boundary('B'), compactMetadata: { preservedSegment } };
    expect(await uuidsOf([...four, old, summary('S', 'B'), ...after])).toBe('S u2 a2 u3 a3');
  });
});

describe('A message that came while the agent worked', () => {
  const queued = { type: 'queued_command', prompt: 'also this', source_uuid: 'sent' };
  const working = [user('u', null), call('c', 'u', 'm'), result('r', 'c')];

  it('is there under the uuid with which it was sent', async () => {
    expect(await uuidsOf([...working, attachment('q', 'r', queued), assistant('a', 'q')])).toBe('u c r sent a');
  });

  it('is there although nothing came after it', async () => {
    expect(await uuidsOf([...working, attachment('q', 'r', queued)])).toBe('u c r sent');
  });

  it('is no conversation by itself', async () => {
    expect(await uuidsOf([user('u', null), attachment('q', 'gone', queued)])).toBe('u');
  });

  it('is left out if it is for the model alone', async () => {
    expect(await uuidsOf([...working, attachment('q', 'r', { ...queued, isMeta: true })])).toBe('u c r');
  });
});

import type { TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { assistant, attachment, boundary, progress, summary, user } from './entries.ts';
import { placeWith, uuidsOf } from './sessions.ts';

const two = [user('u', null), assistant('a', 'u')];
const notFound = { code: 'SESSION_NOT_FOUND' };

describe('A session', () => {
  it('is renamed by an entry, and tagged and untagged by another', async () => {
    const { sessions, stored } = placeWith({ s: two });
    await sessions.rename('s', '  A name ');
    await sessions.tag('s', ' a\u200Btag ');
    await sessions.tag('s', null);
    expect(stored.get('s')?.slice(2)).toEqual([
      { type: 'custom-title', customTitle: 'A name', sessionId: 's' },
      { type: 'tag', tag: 'atag', sessionId: 's' },
      { type: 'tag', tag: '', sessionId: 's' },
    ]);
    expect(await sessions.get('s')).toMatchObject({ summary: 'A name', customTitle: 'A name' });
    expect(await sessions.get('s')).not.toHaveProperty('tag');
  });

  it('is not renamed or tagged with nothing', async () => {
    const { sessions, stored } = placeWith({ s: two });
    await expect(sessions.rename('s', ' \n')).rejects.toThrow(new TypeError('`title` must not be empty.'));
    await expect(sessions.tag('s', '\u200B')).rejects.toThrow(new TypeError('`tag` must not be empty.'));
    expect(stored.get('s')).toEqual(two);
  });

  it('has one tag of texts that look the same', async () => {
    const { sessions, stored } = placeWith({ s: two });
    for (const tag of ['\uFF21e\u200B\u0301', 'A\u00E9\uD800']) await sessions.tag('s', tag);
    expect(stored.get('s')?.slice(-2)).toMatchObject([{ tag: 'A\u00E9' }, { tag: 'A\u00E9' }]);
  });

  it('keeps its name and tag when the new one is no text, and the error names which', async () => {
    const { sessions, stored } = placeWith({ s: two });
    const wrong = 7 as never; // what a program in JavaScript may pass
    await expect(sessions.rename('s', wrong)).rejects.toThrow(new TypeError('`title` must be a text, not a number.'));
    await expect(sessions.tag('s', wrong)).rejects.toThrow(new TypeError('`tag` must be a text, not a number.'));
    expect(stored.get('s')).toEqual(two);
  });

  it('is archived until a prompt comes later than the mark', async () => {
    const { sessions, marks } = placeWith({ s: two });
    expect(await sessions.get('s')).not.toHaveProperty('archived');
    await sessions.archive('s');
    expect(marks.get('s')).toBe(true);
    expect(await sessions.get('s')).toMatchObject({ archived: true });
    await sessions.unarchive('s');
    expect(await sessions.get('s')).toMatchObject({ archived: false });
  });

  it('is not found by a change or a reader where there is none', async () => {
    const { sessions } = placeWith({});
    for (const change of [
      () => sessions.rename('x', 'name'),
      () => sessions.tag('x', null),
      () => sessions.archive('x'),
      () => sessions.unarchive('x'),
      () => sessions.delete('x'),
      () => sessions.fork('x'),
      () => Array.fromAsync(sessions.messages('x')),
      () => Array.fromAsync(sessions.subagentMessages('x', 'agent')),
      () => sessions.subagents('x'),
    ])
      await expect(change()).rejects.toMatchObject(notFound);
    expect(await sessions.get('x')).toBeUndefined();
  });

  it('is not listed when it began in another directory, belongs to a subagent, or has no message', async () => {
    const { sessions } = placeWith({
      mine: two,
      other: [user('u', null, { cwd: '/elsewhere' })],
      aside: [user('u', null, { isSidechain: true })],
      mute: [assistant('a', null)],
    });
    expect((await sessions.list()).map(({ sessionId }) => sessionId)).toEqual(['mine']);
  });

  it('is listed without those of programs where they are not asked for', async () => {
    const opened = (fields: Readonly<Record<string, unknown>>) => [user('u', null, fields)];
    const { sessions } = placeWith({
      person: opened({ entrypoint: 'cli' }),
      program: opened({ entrypoint: 'sdk-ts' }),
      daemon: opened({ sessionKind: 'daemon' }),
    });
    expect(await sessions.list()).toHaveLength(3);
    const byPeople = await sessions.list({ includeProgrammatic: false });
    expect(byPeople.map(({ sessionId }) => sessionId)).toEqual(['person']);
  });

  it('is one of a page', async () => {
    const { sessions } = placeWith(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`s${n}`, two])));
    const page = await sessions.list({ limit: 3, offset: 20 });
    expect(page.map(({ sessionId }) => sessionId)).toEqual(['s20', 's21', 's22']);
  });
});

describe('A fork', () => {
  async function forked(entries: readonly TranscriptEntry[], options: { upToMessageId?: string; title?: string } = {}) {
    const { sessions, stored } = placeWith({ s: entries });
    const { sessionId } = await sessions.fork('s', options);
    expect(stored.get('s')).toEqual(entries);
    const copy = stored.get(sessionId) ?? [];
    const original = (uuid: unknown): unknown =>
      copy.map((entry) => [entry['uuid'], entry['forkedFrom']] as const).find(([own]) => own === uuid)?.[1];
    return { sessionId, copy, original };
  }

  it('has the messages under other uuids, linked in the same way', async () => {
    const { copy, sessionId } = await forked([user('u', null, { slug: 'x' }), progress('p', 'u'), assistant('a', 'p')]);
    expect(copy).toHaveLength(3);
    const [first, second] = copy;
    expect(first).toMatchObject({ parentUuid: null, sessionId, forkedFrom: { sessionId: 's', messageUuid: 'u' } });
    expect(second).toMatchObject({
      parentUuid: first?.['uuid'],
      requestSessionId: 'a-session',
      forkedFrom: { messageUuid: 'a' },
      timestamp: '2030-01-01T00:00:00.000Z',
    });
    expect(first).not.toHaveProperty('slug');
    expect(new Set(copy.map(({ uuid }) => uuid)).size).toBe(3);
  });

  it('is called like the original, or as the option names it', async () => {
    const titleOf = async (entries: readonly TranscriptEntry[], title?: string) =>
      (await forked(entries, title === undefined ? {} : { title })).copy.at(-1)?.['customTitle'];
    expect(await titleOf(two)).toBe('asked in u (fork)');
    expect(await titleOf([...two, { type: 'custom-title', customTitle: 'Name' }])).toBe('Name (fork)');
    expect(await titleOf(two, ' Other ')).toBe('Other');
    const summed = [assistant('a', null), { type: 'summary', summary: 'Sum', leafUuid: 'a' }];
    expect(await titleOf(summed)).toBe('Forked session (fork)');
  });

  it('gives each of two messages with one uuid its own parent', async () => {
    const { copy, original } = await forked([user('u', null), assistant('a', 'u'), user('b', 'u'), user('b', 'a')]);
    const parents = copy.slice(0, 4).map(({ parentUuid }) => Object(original(parentUuid)).messageUuid);
    expect(parents).toEqual([undefined, 'u', 'u', 'a']);
  });

  it('ends with a report of progress that is named, and is refused where nothing else would be in it', async () => {
    const { copy } = await forked([user('u', null), progress('p', 'u'), user('v', 'p')], { upToMessageId: 'p' });
    expect(copy.map((entry) => Object(entry['forkedFrom']).messageUuid)).toEqual(['u', undefined]);
    await expect(forked([progress('p', 'x'), user('v', 'p')], { upToMessageId: 'p' })).rejects.toMatchObject(notFound);
  });

  it('copies nothing that belongs to how the original was opened, and of its tools only their names', async () => {
    const tools = { type: 'tools-used', tools: ['Bash'], sessionId: 's', other: 1 };
    const { copy, sessionId } = await forked([
      user('u', null, { sessionKind: 'daemon', requestSessionId: 'x' }),
      tools,
    ]);
    expect(copy[0]).not.toHaveProperty('sessionKind');
    expect(copy[0]).not.toHaveProperty('requestSessionId');
    expect(copy[1]).toEqual({ type: 'tools-used', tools: ['Bash'], sessionId });
  });

  it('ends with the message that is named, and leaves out the messages of subagents', async () => {
    const entries = [...two, assistant('s', 'u', { isSidechain: true }), user('u2', 'a'), assistant('a2', 'u2')];
    const { copy } = await forked(entries, { upToMessageId: 'u2' });
    expect(copy.map((entry) => Object(entry['forkedFrom']).messageUuid)).toEqual(['u', 'a', 'u2', undefined]);
  });

  it('ends with a message that came while the agent worked', async () => {
    const queued = attachment('q', 'a', { type: 'queued_command', prompt: 'x', source_uuid: 'sent' });
    expect((await forked([...two, queued, user('u2', 'q')], { upToMessageId: 'sent' })).copy).toHaveLength(4);
  });

  it('is refused for a message that the session does not have, and for a session without messages', async () => {
    await expect(forked(two, { upToMessageId: 'x' })).rejects.toMatchObject(notFound);
    await expect(forked([{ type: 'mode' }])).rejects.toMatchObject(notFound);
  });

  const compacted = [...two, boundary('B', 'S', ['a']), summary('S', 'B'), user('u2', 'S')];

  it('keeps what a compaction kept', async () => {
    const { copy } = await forked(compacted);
    const uuids = (await uuidsOf(copy)).split(' ');
    const originals = uuids.map((uuid) => copy.find((entry) => entry['uuid'] === uuid)?.['forkedFrom']);
    expect(originals).toMatchObject([{ messageUuid: 'S' }, { messageUuid: 'a' }, { messageUuid: 'u2' }]);
  });

  it('that ends with a summary has nothing behind it', async () => {
    const { copy } = await forked(compacted, { upToMessageId: 'S' });
    expect((await uuidsOf(copy)).split(' ')).toHaveLength(1);
  });

  it('that ends with a compaction ends before it', async () => {
    const { copy } = await forked(compacted, { upToMessageId: 'B' });
    expect(copy.map(({ type }) => type)).toEqual(['user', 'assistant', 'custom-title']);
  });
});

import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { id, line, Place } from './place.ts';

const storedUser = (cwd = '/p'): string =>
  line({ type: 'user', uuid: 'u', cwd, gitBranch: 'main', message: { content: 'Hello' } });
const idsIn = async (place: Place, scope: Parameters<Place['transcripts']['list']>[0] = {}): Promise<string[]> =>
  (await place.transcripts.list(scope)).map(({ sessionId }) => sessionId.slice(-1));

describe('The folder of transcripts', () => {
  it('lists what was written last first, and of the same time in one order', async () => {
    using place = new Place();
    place.store('/p', id(1), storedUser(), 50);
    place.store('/q', id(2), storedUser(), 70);
    place.store('/p', id(3), storedUser(), 50);
    expect(await idsIn(place)).toEqual(['2', '3', '1']);
  });

  it('lists nothing where there is none', async () => {
    using place = new Place();
    expect(await idsIn(place)).toEqual([]);
    expect(await idsIn(place, { dir: '/nowhere' })).toEqual([]);
  });

  it('lists no files of others', async () => {
    using place = new Place();
    place.store('/p', id(1), storedUser());
    place.store('/p', id(2), '');
    place.store('/p', 'agent-1', storedUser());
    place.store('/p', `${id(3)}.backup`, storedUser());
    mkdirSync(path.join(place.folder('/p'), `${id(4)}.jsonl`));
    symlinkSync('/nowhere', path.join(place.folder('/p'), `${id(5)}.jsonl`));
    place.write(path.join(place.root, 'config', 'projects', `${id(6)}.jsonl`), storedUser());
    expect(await idsIn(place)).toEqual(['1']);
  });

  it('has a session once that is in two folders: the newer one', async () => {
    using place = new Place();
    place.store('/p', id(1), storedUser(), 50);
    const newer = place.store('/q', id(1), storedUser() + storedUser(), 70);
    const listed = await place.transcripts.list({});
    expect(listed.map(({ fileSize }) => fileSize)).toEqual([2 * storedUser().length]);
    expect((await place.transcripts.find(id(1), {}))?.fileSize).toBe(2 * storedUser().length);
    expect(newer).toContain('-q');
  });

  it.each([
    '',
    '..',
    '../x',
    `../p/${id(1)}`,
    `${id(1)}\0`,
    `${id(1)}/../${id(1)}`,
    ` ${id(1)}`,
    'x',
    undefined,
    null,
    7,
  ])('has no session with the id %j', async (wrong) => {
    using place = new Place();
    place.store('/p', id(1), storedUser());
    // What a program in JavaScript may pass.
    expect(await place.transcripts.find(wrong as string, {})).toBeUndefined();
  });

  it('finds sessions by the real path of a directory', async () => {
    using place = new Place();
    const dir = place.dir('real');
    symlinkSync(dir, path.join(place.root, 'link'));
    place.store(dir, id(1), storedUser());
    expect(await idsIn(place, { dir: path.join(place.root, 'link') })).toEqual(['1']);
    expect(await idsIn(place, { dir: `${dir}/../real/` })).toEqual(['1']);
    expect(await idsIn(place, { dir: place.root })).toEqual([]);
  });

  it('keeps directories apart whose sessions are in one folder', async () => {
    using place = new Place();
    const [dotted, dashed] = [place.dir('my.project'), place.dir('my-project')];
    place.store(dotted, id(1), storedUser());
    const [session] = await place.transcripts.list({ dir: dotted });
    expect([session?.belongsTo(dotted), session?.belongsTo(dashed), session?.belongsTo('/moved/from')]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await place.transcripts.list({}))[0]?.belongsTo(dashed)).toBe(true);
  });

  it('has the sessions of all worktrees of a repository, unless one is enough', async () => {
    using place = new Place();
    const [repository, linked, below] = [place.dir('repo'), place.dir('linked'), place.dir('repo/below')];
    const shared = path.join(repository, '.git');
    place.write(path.join(shared, 'worktrees', 'linked', 'gitdir'), `${linked}/.git\n`);
    place.write(path.join(shared, 'worktrees', 'linked', 'commondir'), '../..\n');
    place.write(path.join(linked, '.git'), `gitdir: ${shared}/worktrees/linked\n`);
    place.store(repository, id(1), storedUser());
    place.store(linked, id(2), storedUser());
    place.store(below, id(3), storedUser());
    for (const dir of [repository, linked]) expect((await idsIn(place, { dir })).toSorted()).toEqual(['1', '2']);
    expect((await idsIn(place, { dir: below })).toSorted()).toEqual(['1', '2', '3']);
    expect(await idsIn(place, { dir: below, includeWorktrees: false })).toEqual(['3']);
    expect((await place.transcripts.find(id(2), { dir: repository }))?.sessionId).toBe(id(2));
  });

  it('has no worktrees where the files of git lead nowhere', async () => {
    using place = new Place();
    const dir = place.dir('lost');
    place.write(path.join(dir, '.git'), 'gitdir: /nowhere\n');
    place.store(dir, id(1), storedUser());
    expect(await idsIn(place, { dir })).toEqual(['1']);
  });
});

describe('The subagents of a session', () => {
  async function session(place: Place) {
    place.store('/p', id(1), storedUser());
    const found = await place.transcripts.find(id(1), {});
    if (found === undefined) throw new Error('not found');
    return found;
  }

  it('are found in every folder, and read with what is noted of them', async () => {
    using place = new Place();
    const folder = path.join(place.folder('/p'), id(1), 'subagents');
    place.write(path.join(folder, 'agent-b.jsonl'), storedUser());
    place.write(path.join(folder, 'agent-b.meta.json'), '{"toolUseId":"t","parentAgentId":"a"}');
    place.write(path.join(folder, 'agent-a.jsonl'), storedUser());
    place.write(path.join(folder, 'agent-a.meta.json'), '{broken');
    place.write(path.join(folder, 'workflows', 'one', 'agent-c.jsonl'), storedUser());
    place.write(path.join(folder, 'agent-.jsonl'), storedUser());
    place.write(path.join(folder, 'notes.jsonl'), storedUser());
    const found = await session(place);
    expect(await found.subagents()).toEqual(['a', 'b', 'c']);
    expect(await found.subagent('b')).toMatchObject({ agentId: 'b', parentAgentId: 'a', toolUseId: 't' });
    expect(await found.subagent('a')).toMatchObject({ parentAgentId: undefined, toolUseId: undefined });
    for (const wrong of ['', '../b', 'agent-b', 'x/../b']) expect(await found.subagent(wrong), wrong).toBeUndefined();
  });

  it('are none where there is no folder of them', async () => {
    using place = new Place();
    expect(await (await session(place)).subagents()).toEqual([]);
  });
});
